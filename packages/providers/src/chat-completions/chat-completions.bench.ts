import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, test } from 'vitest';
import type { Message } from '../message/message.ts';
import { request, responseOf, routeTo, TERMINAL } from '../testing/test-call.ts';
import { createChatCompletionsClient } from './chat-completions-client.ts';
import { createRequestEncoder } from './request-encoder.ts';

type Prompt = Parameters<ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>['doStream']>[0]['prompt'];

const children: { kill(): unknown }[] = [];
afterAll(() => {
  for (const child of children) child.kill();
});

/** The server runs in a process of its own, so that its work is not counted as the client's. */
async function modelServer(...args: readonly string[]): Promise<string> {
  const main = fileURLToPath(import.meta.resolve('@hermes/model-server/main'));
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return JSON.parse(line).url;
}

/** A history of so many tool rounds: about 2 KB a round. */
function history(rounds: number): Message[] {
  const messages: Message[] = [{ role: 'user', content: 'go' }];
  for (let round = 0; round < rounds; round++) {
    const id = `call_${round}`;
    const call = { id, name: 'terminal', argumentsJson: JSON.stringify({ command: `echo ${'x'.repeat(200)}` }) };
    messages.push({ role: 'assistant', content: '', toolCalls: [call] });
    messages.push({ role: 'tool', toolCallId: id, toolName: 'terminal', content: 'y'.repeat(1_800) });
  }
  return messages;
}

function sdkPrompt(messages: readonly Message[]): Prompt {
  return messages.map((message): Prompt[number] => {
    if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: 'go' }] };
    if (message.role === 'tool') {
      const output = { type: 'text', value: message.content } as const;
      const { toolCallId, toolName } = message;
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
    }
    const calls = (message.toolCalls ?? []).map(
      ({ id, name, argumentsJson }) =>
        ({ type: 'tool-call', toolCallId: id, toolName: name, input: argumentsJson }) as const,
    );
    return { role: 'assistant', content: calls };
  });
}

/** One call through `doStream` of the provider package, its prompt already converted. */
function sdkCall(baseURL: string, prompt: Prompt): () => Promise<void> {
  const model = createOpenAICompatible({ name: 'test', baseURL, includeUsage: true }).chatModel('scripted-model');
  const inputSchema = { ...TERMINAL.parameters };
  const system: Prompt[number] = { role: 'system', content: 'Be brief.' };
  return async () => {
    const { stream } = await model.doStream({
      prompt: [system, ...prompt],
      tools: [{ type: 'function', name: 'terminal', description: 'Runs a command.', inputSchema }],
    });
    for (const reader = stream.getReader(); ; ) {
      if ((await reader.read()).done) return;
    }
  };
}

test.for([1, 150])('one call after %i tool rounds, the last of them new', async (rounds, { bench }) => {
  const url = await modelServer('--script', 'rounds', '--rounds', '100000');
  const messages = history(rounds);
  const client = createChatCompletionsClient(routeTo(url));
  await bench.compare(
    bench('this client', async () => {
      renewLast(messages);
      await responseOf(client, { messages });
    }),
    bench('AI SDK, doStream', sdkCall(url, sdkPrompt(messages))),
  );
});

test('an answer of 2,000 words', async ({ bench }) => {
  const url = await modelServer('--script', 'answer', '--tokens', '2000');
  const client = createChatCompletionsClient(routeTo(url));
  await bench.compare(
    bench('this client', async () => void (await responseOf(client))),
    bench('AI SDK, doStream', sdkCall(url, sdkPrompt(history(0)))),
  );
});

test('encoding a request after 150 tool rounds', async ({ bench }) => {
  const messages = history(150);
  const encode = createRequestEncoder(routeTo('http://127.0.0.1/v1'));
  await bench.compare(
    bench('the last round is new', () => {
      renewLast(messages);
      encode(request({ messages }));
    }),
    bench('everything is new', () => {
      createRequestEncoder(routeTo('http://127.0.0.1/v1'))(request({ messages }));
    }),
  );
});

/** Puts copies in place of the last round, as if it had just been added. */
function renewLast(messages: Message[]): void {
  messages.push(...messages.splice(-2, 2).map((message) => structuredClone(message)));
}
