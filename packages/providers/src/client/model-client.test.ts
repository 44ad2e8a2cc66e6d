import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { RawStep } from '@hermes/model-server';
import { AbortReason } from '@hermes/runtime';
import { describe, expect, test } from 'vitest';
import { createChatCompletionsClient } from '../chat-completions/chat-completions-client.ts';
import { fromLanguageModel } from '../language-model/from-language-model.ts';
import { partsOf, request, responseOf, routeTo, serve } from '../testing/test-call.ts';
import type { ModelClient } from './model-client.ts';

function overSdk(baseURL: string): ModelClient {
  const provider = createOpenAICompatible({ name: 'test', baseURL, includeUsage: true });
  return fromLanguageModel(provider.chatModel('scripted-model'));
}

describe.each<[string, (url: string) => ModelClient]>([
  ['Chat Completions', (url) => createChatCompletionsClient(routeTo(url))],
  ['a model object of the AI SDK', overSdk],
])('a client over %s', (_what, clientTo) => {
  test('an answer streams as reasoning, text and growing calls, and ends with the whole of it', async () => {
    const { url } = await serve([
      {
        kind: 'answer',
        reasoning: 'I think.',
        text: '<think>Inline.</think>\n\nHello 世界',
        toolCalls: [{ id: 'call_1', name: 'terminal', arguments: '{"command":  "true"}' }],
        chunkSize: 4,
        usage: {
          prompt_tokens: 100,
          completion_tokens: 20,
          prompt_tokens_details: { cached_tokens: 60 },
          completion_tokens_details: { reasoning_tokens: 5 },
        },
        model: 'scripted-model-v2',
      },
    ]);
    const parts = await partsOf(clientTo(url));
    const joined = (type: string) =>
      parts.flatMap((part) => (part.type === type && 'text' in part ? [part.text] : [])).join('');
    expect(joined('reasoning.delta')).toBe('I think.Inline.');
    expect(joined('text.delta')).toBe('Hello 世界');
    expect(parts.findLast((part) => part.type === 'tool.generating')).toEqual({
      type: 'tool.generating',
      index: 0,
      name: 'terminal',
      bytes: 20,
    });
    expect(parts.at(-1)).toEqual({
      type: 'response',
      response: {
        text: 'Hello 世界',
        reasoning: 'I think.Inline.',
        toolCalls: [{ id: 'call_1', name: 'terminal', argumentsJson: '{"command":  "true"}' }],
        finish: 'tool_calls',
        usage: { input: 40, output: 20, cacheRead: 60, cacheWrite: 0, reasoning: 5 },
        servedModel: 'scripted-model-v2',
      },
    });
  });

  test('an abort ends the call at once with its reason, before, while waiting and in the middle of an answer', async () => {
    const hold: RawStep = { kind: 'raw', chunks: ['data: {"choices":[{"delta":{"content":"Hm"}}]}\n\n'], end: 'hold' };
    const server = await serve([{ kind: 'silence' }, hold]);
    const client = clientTo(server.url);
    const reason = new AbortReason('user_stop', 'test');

    await expect(responseOf(client, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.requests).toEqual([]);

    const waiting = new AbortController();
    const silent = responseOf(client, { signal: waiting.signal });
    await server.received(0);
    waiting.abort(reason);
    await expect(silent).rejects.toBe(reason);
    expect((await server.ended(0)).outcome).toBe('client_closed');

    const reading = new AbortController();
    const stream = client.stream(request({ signal: reading.signal }))[Symbol.asyncIterator]();
    await stream.next();
    const next = stream.next();
    reading.abort(reason);
    await expect(next).rejects.toBe(reason);
    expect((await server.ended(1)).outcome).toBe('client_closed');
  });

  test('whoever stops reading closes the connection', async () => {
    const server = await serve([
      { kind: 'raw', chunks: ['data: {"choices":[{"delta":{"content":"Hm"}}]}\n\n'], end: 'hold' },
    ]);
    for await (const part of clientTo(server.url).stream(request())) {
      expect(part).toEqual({ type: 'text.delta', text: 'Hm' });
      break;
    }
    expect((await server.ended(0)).outcome).toBe('client_closed');
  });
});
