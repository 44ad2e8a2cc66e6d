import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { FAULTS, type Step, textStep } from '@hermes/model-server';
import { expect, test } from 'vitest';
import { createChatCompletionsClient } from '../chat-completions/chat-completions-client.ts';
import type { Message } from '../message/message.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { responseOf, routeTo, serve } from '../testing/test-call.ts';
import { fromLanguageModel, type LanguageModelOptions } from './from-language-model.ts';

const CONVERSATION: readonly Message[] = [
  { role: 'user', content: 'look' },
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'a', name: 'terminal', argumentsJson: '{"command":  "ls"}' }],
  },
  { role: 'tool', toolCallId: 'a', toolName: 'terminal', content: '数据' },
  { role: 'assistant', content: 'Done.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'and this?' },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
    ],
  },
];

/** A client over a model object that speaks to a scripted server. */
function over(baseURL: string, options: LanguageModelOptions = {}) {
  const provider = createOpenAICompatible({ name: 'test', baseURL, apiKey: 'secret', includeUsage: true });
  return fromLanguageModel(provider.chatModel('scripted-model'), { baseUrl: baseURL, ...options });
}

test('the server gets what the Chat Completions client would send', async () => {
  const server = await serve(() => textStep('ok'));
  await responseOf(createChatCompletionsClient(routeTo(server.url)), { messages: CONVERSATION, maxOutputTokens: 50 });
  await responseOf(over(server.url), { messages: CONVERSATION, maxOutputTokens: 50 });
  const [own, adapted] = server.requests.map(({ raw }) => JSON.parse(raw));
  expect(own.messages).toHaveLength(6);
  expect(adapted.messages).toEqual(own.messages);
  expect(adapted.tools).toEqual(own.tools);
});

test('a longer conversation begins with the bytes of the shorter one', async () => {
  const server = await serve(() => textStep('ok'));
  const client = over(server.url);
  await responseOf(client, { messages: CONVERSATION });
  await responseOf(client, {
    messages: [...CONVERSATION, { role: 'assistant', content: 'ok' }, { role: 'user', content: 'ok?' }],
  });
  const [shorter = '', longer] = server.requests.map(({ raw }) => raw);
  const messages = JSON.stringify(JSON.parse(shorter).messages).slice(0, -1);
  expect(shorter).toContain(messages);
  expect(longer).toContain(`${messages},{"role":"assistant","content":"ok"},{"role":"user","content":"ok?"}`);
});

test('what a provider keeps in the metadata of a call goes back with it', async () => {
  const server = await serve([
    {
      kind: 'answer',
      toolCalls: [
        {
          id: 'a',
          name: 'terminal',
          arguments: '{}',
          extra: { extra_content: { google: { thought_signature: 'sig' } } },
        },
      ],
    },
    textStep('ok'),
  ]);
  const client = over(server.url);
  const { toolCalls } = await responseOf(client);
  const messages: Message[] = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '', toolCalls },
    { role: 'tool', toolCallId: 'a', toolName: 'terminal', content: 'done' },
  ];
  await responseOf(client, { messages });
  expect(server.requests[1]?.raw).toContain('"thought_signature":"sig"');
});

test.each<[string, Step]>([
  ['a rate limit', FAULTS.rateLimited()],
  ['a rate limit that says how long to wait', FAULTS.rateLimited({ retryAfter: '7' })],
  ['an overloaded server', FAULTS.unavailable()],
  ['a bill that was not paid', FAULTS.paymentRequired()],
  ['a stream that is cut', FAULTS.cutStream()],
  ['an event nobody can read', FAULTS.malformedSse()],
  ['an error in the stream', FAULTS.errorFrame()],
  ['a stream of nothing', { kind: 'raw', chunks: [] }],
  ['a key that is refused', { kind: 'http', status: 401, body: '{"error":{"message":"Incorrect API key provided"}}' }],
  ['a context that is too long', { kind: 'http', status: 400, body: '{"error":{"code":"context_length_exceeded"}}' }],
])('%s fails for the same reason as without the model object, after one request', async (_what, step) => {
  const server = await serve(() => step);
  const failureOf = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    );
  const own = await failureOf(responseOf(createChatCompletionsClient(routeTo(server.url))));
  const adapted = await failureOf(responseOf(over(server.url)));
  expect(own).toMatchObject({ name: 'ProviderError' });
  const { reason, retryable, retryAfterMs } = own as { reason: string; retryable: boolean; retryAfterMs?: number };
  expect(adapted).toMatchObject({ name: 'ProviderError', reason, retryable });
  expect((adapted as { retryAfterMs?: number }).retryAfterMs).toBe(retryAfterMs);
  expect(server.requests).toHaveLength(2);
});

test('a server that nobody listens on is one that did not answer', async () => {
  const server = await serve([]);
  await server.close();
  await expect(responseOf(over(server.url))).rejects.toMatchObject({ reason: 'timeout', retryable: true });
});

test('a mistake in the use of the model object is told in its own words', async () => {
  const client = over('http://127.0.0.1:1/v1');
  const call = responseOf(client, {
    messages: [{ role: 'user', content: [{ type: 'image', mimeType: 'font/woff', data: 'AA==' }] }],
  });
  await expect(call).rejects.toMatchObject({ name: 'AI_UnsupportedFunctionalityError' });
});

test('silence ends a call after its limit', async () => {
  const clock = new ManualClock();
  const server = await serve([{ kind: 'silence' }]);
  const silent = responseOf(over(server.url, { clock, limits: { silenceMs: 5_000 } }));
  await server.received(0);
  clock.advance(5_000);
  await expect(silent).rejects.toMatchObject({ reason: 'timeout', retryable: true });
});
