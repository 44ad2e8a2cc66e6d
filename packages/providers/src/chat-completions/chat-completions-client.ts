import type { IncomingMessage } from 'node:http';
import { type Clock, systemClock } from '@hermes/runtime';
import type { ModelClient, ModelRequest, StreamPart } from '../client/model-client.ts';
import { classifyFailure } from '../failure/classify-failure.ts';
import { failureOfNetworkError } from '../failure/http-failure.ts';
import { type CallGuard, guardCall } from '../http/call-guard.ts';
import { callLimits } from '../http/call-limits.ts';
import { createHttpTransport, type HttpTransport, type HttpTransportOptions } from '../http/http-transport.ts';
import type { Route } from '../route/route.ts';
import { readAnswer } from './read-answer.ts';
import { createRequestEncoder } from './request-encoder.ts';

export interface ChatCompletionsOptions extends HttpTransportOptions {
  /** Time for the watchdogs. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * A client for any server that speaks Chat Completions. It speaks the wire itself: a request is put together from kept
 * bytes, and events are read straight from the socket. The bench beside this file compares it with the provider package
 * of the AI SDK, which costs several times as much a call, a chunk and a start.
 *
 * @example
 * const client = createChatCompletionsClient(route);
 * for await (const part of client.stream({ system, messages, tools, signal })) draw(part);
 */
export function createChatCompletionsClient(route: Route, options: ChatCompletionsOptions = {}): ModelClient {
  const setup: Setup = {
    route,
    clock: options.clock ?? systemClock,
    transport: createHttpTransport(options),
    encode: createRequestEncoder(route),
  };
  return { route, stream: (request) => streamAnswer(setup, request) };
}

interface Setup {
  readonly route: Route;
  readonly clock: Clock;
  readonly transport: HttpTransport;
  readonly encode: (request: ModelRequest) => Buffer;
}

async function* streamAnswer(setup: Setup, request: ModelRequest): AsyncGenerator<StreamPart> {
  request.signal.throwIfAborted();
  const { route, clock } = setup;
  const limits = callLimits(route.baseUrl, route.limits);
  const guard = guardCall(request.signal, clock, limits, (limit) =>
    classifyFailure(route, { kind: limit === 'silenceMs' ? 'silent' : 'late', limitMs: limits[limit] }),
  );
  try {
    const response = await send(setup, setup.encode(request), guard);
    yield* readAnswer(response, route, clock, guard);
  } catch (error) {
    throw guard.signal.aborted ? guard.signal.reason : error;
  } finally {
    guard.release();
  }
}

async function send({ route, transport }: Setup, body: Buffer, guard: CallGuard): Promise<IncomingMessage> {
  try {
    return await transport({
      method: 'POST',
      url: `${route.baseUrl.replace(/\/+$/, '')}/chat/completions`,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'user-agent': 'hermes-agent',
        ...(route.apiKey === undefined ? {} : { authorization: `Bearer ${route.apiKey}` }),
      },
      body,
      signal: guard.signal,
    });
  } catch (error) {
    throw classifyFailure(route, failureOfNetworkError(error));
  }
}
