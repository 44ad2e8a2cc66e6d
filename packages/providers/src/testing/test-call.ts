import { type Script, startModelServer } from '@hermes/model-server';
import { onTestFinished } from 'vitest';
import type { ModelClient, ModelRequest, ModelResponse, StreamPart } from '../client/model-client.ts';
import type { ToolSchema } from '../message/message.ts';
import type { Route } from '../route/route.ts';

export const TERMINAL: ToolSchema = {
  name: 'terminal',
  description: 'Runs a command.',
  parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
};

/** A model server for this test only. */
export async function serve(script: Script) {
  const server = await startModelServer({ script });
  onTestFinished(() => server.close());
  return server;
}

export function routeTo(baseUrl: string, rest: Partial<Route> = {}): Route {
  return {
    provider: 'test',
    model: 'scripted-model',
    apiMode: 'chat_completions',
    baseUrl,
    contextWindow: 128_000,
    contextWindowAssumed: false,
    ...rest,
  };
}

export function request(rest: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'go' }],
    tools: [TERMINAL],
    signal: new AbortController().signal,
    ...rest,
  };
}

/** All parts of one call. */
export async function partsOf(client: ModelClient, rest: Partial<ModelRequest> = {}): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const part of client.stream(request(rest))) parts.push(part);
  return parts;
}

/** The response of one call. */
export async function responseOf(client: ModelClient, rest: Partial<ModelRequest> = {}): Promise<ModelResponse> {
  const last = (await partsOf(client, rest)).at(-1);
  if (last?.type !== 'response') throw new Error('The stream ended without a response.');
  return last.response;
}
