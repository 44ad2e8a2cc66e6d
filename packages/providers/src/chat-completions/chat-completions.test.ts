import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { callsStep, type RawStep, sharedPrefixBytes, textStep } from '@hermes/model-server';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../message/message.ts';
import { partsOf, request, responseOf, routeTo, serve, TERMINAL } from '../testing/test-call.ts';
import { createChatCompletionsClient } from './chat-completions-client.ts';
import { createRequestEncoder } from './request-encoder.ts';
import { ResponseAssembly } from './response-assembly.ts';
import { type Piece, ThinkingSplitter } from './thinking-splitter.ts';
import { wireMessage } from './wire-message.ts';
import { usageOf } from './wire-usage.ts';

const STANDARD = { maxTokensField: 'max_tokens', echoesReasoning: false } as const;

const CONVERSATION: readonly Message[] = [
  { role: 'user', content: 'look' },
  {
    role: 'assistant',
    content: 'I look.',
    reasoning: 'hm',
    toolCalls: [
      { id: 'a', name: 'terminal', argumentsJson: '{"command": "ls"}' },
      { id: 'b', name: 'terminal', argumentsJson: '{ }' },
    ],
  },
  { role: 'tool', toolCallId: 'a', toolName: 'terminal', content: '数据' },
  { role: 'tool', toolCallId: 'b', toolName: 'terminal', content: '{"exit_code":0}' },
  { role: 'assistant', content: 'Done.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'and this?' },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
    ],
  },
];

/** A stream of these deltas, ended as told. */
function raw(deltas: readonly object[], finish: string | null = 'stop'): RawStep {
  const frames = [
    ...deltas.map((delta) => ({ delta })),
    ...(finish === null ? [] : [{ delta: {}, finish_reason: finish }]),
  ];
  return { kind: 'raw', chunks: frames.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`) };
}

function calls(...pieces: readonly object[]): RawStep {
  return raw(pieces.map((piece) => ({ tool_calls: [piece] })));
}

test('a strict server accepts the conversation, and it is what the AI SDK would send', async () => {
  const server = await serve(() => textStep('ok'));
  await responseOf(createChatCompletionsClient(routeTo(server.url, { apiKey: 'secret' })), {
    messages: CONVERSATION,
    maxOutputTokens: 50,
  });
  const model = createOpenAICompatible({ name: 'test', baseURL: server.url, includeUsage: true }).chatModel(
    'scripted-model',
  );
  const { stream } = await model.doStream({
    maxOutputTokens: 50,
    tools: [
      { type: 'function', name: 'terminal', description: 'Runs a command.', inputSchema: { ...TERMINAL.parameters } },
    ],
    prompt: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'look' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'terminal', input: '{"command": "ls"}' },
          { type: 'tool-call', toolCallId: 'b', toolName: 'terminal', input: '{ }' },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'terminal', output: { type: 'text', value: '数据' } },
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'terminal',
            output: { type: 'text', value: '{"exit_code":0}' },
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'and this?' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
        ],
      },
    ],
  });
  await stream.cancel();
  const [ours, theirs] = server.requests;
  expect([ours?.rejected, theirs?.rejected]).toEqual([undefined, undefined]);
  expect(JSON.parse(ours?.raw ?? '')).toEqual(JSON.parse(theirs?.raw ?? ''));
  expect(ours?.headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' });
});

test('the same input gives the same bytes, and a longer conversation begins with the shorter one', () => {
  const encode = createRequestEncoder(routeTo('http://127.0.0.1/v1'));
  const fresh = createRequestEncoder(routeTo('http://127.0.0.1/v1'));
  const shorter = request({ messages: CONVERSATION.slice(0, 4) });
  const longer = request({ messages: CONVERSATION });
  expect(encode(shorter).equals(encode(shorter))).toBe(true);
  expect(encode(shorter).equals(fresh(structuredCloneOf(shorter)))).toBe(true);
  const [first, second] = [encode(shorter).toString(), encode(longer).toString()];
  expect(sharedPrefixBytes(first, second)).toBe(Buffer.byteLength(first) - ']}'.length);
  const forbidding = encode(request({ messages: CONVERSATION, toolChoice: 'none' })).toString();
  expect(sharedPrefixBytes(second, forbidding)).toBe(Buffer.byteLength(second) - '}'.length);
  expect(JSON.parse(forbidding)).toMatchObject({ tool_choice: 'none', tools: [{ function: { name: 'terminal' } }] });
});

function structuredCloneOf(original: ReturnType<typeof request>): ReturnType<typeof request> {
  return { ...original, messages: structuredClone(original.messages), tools: structuredClone(original.tools) };
}

test('without tools, system prompt or cap none of their fields is sent', () => {
  const encode = createRequestEncoder(routeTo('http://127.0.0.1/v1'));
  const body: unknown = JSON.parse(encode(request({ system: '', tools: [], toolChoice: 'none' })).toString());
  expect(body).toEqual({
    model: 'scripted-model',
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: 'go' }],
  });
});

test('broken arguments and fields of the provider go back as they came', async () => {
  const argumentsText = '{"command": "tru\\u0065", "n": 1.0';
  const extra = { extra_content: { google: { thought_signature: 'c2lnbmF0dXJl' } }, index_hint: 7 };
  const server = await serve([
    callsStep({ id: 'call_1', name: 'terminal', arguments: argumentsText, extra }),
    calls({ index: 0, id: 'call_2', function: { name: 'terminal', arguments: '{}', signature: 's' } }),
    textStep('done'),
  ]);
  const client = createChatCompletionsClient(routeTo(server.url));
  const messages: Message[] = [{ role: 'user', content: 'go' }];
  for (const result of ['one', 'two']) {
    const { text, toolCalls } = await responseOf(client, { messages: [...messages] });
    messages.push({ role: 'assistant', content: text, toolCalls });
    for (const { id, name } of toolCalls)
      messages.push({ role: 'tool', toolCallId: id, toolName: name, content: result });
  }
  await responseOf(client, { messages });
  const sent: { messages: { tool_calls?: unknown }[] } = JSON.parse(server.requests[2]?.raw ?? '');
  expect(sent.messages[2]?.tool_calls).toEqual([
    { id: 'call_1', type: 'function', function: { name: 'terminal', arguments: argumentsText }, ...extra },
  ]);
  expect(sent.messages[4]?.tool_calls).toEqual([
    { id: 'call_2', type: 'function', function: { name: 'terminal', arguments: '{}', signature: 's' } },
  ]);
});

test.each([
  [
    'a name that comes late',
    [
      { index: 0, id: 'a' },
      { index: 0, function: { name: 'x', arguments: '{}' } },
    ],
    [['a', 'x', '{}']],
  ],
  [
    'an id that comes late',
    [
      { index: 0, function: { name: 'x' } },
      { index: 0, id: 'a' },
    ],
    [['a', 'x', '']],
  ],
  [
    'a new id under an old index',
    [
      { index: 0, id: 'a', function: { name: 'x', arguments: '{}' } },
      { index: 0, id: 'b', function: { name: 'y', arguments: '[]' } },
      { index: 0, function: { arguments: ' ' } },
    ],
    [
      ['a', 'x', '{}'],
      ['b', 'y', '[] '],
    ],
  ],
  [
    'interleaved calls',
    [
      { index: 0, id: 'a', function: { name: 'x', arguments: '{' } },
      { index: 1, id: 'b', function: { name: 'y', arguments: '[' } },
      { index: 0, function: { arguments: '}' } },
      { index: 1, function: { arguments: ']' } },
    ],
    [
      ['a', 'x', '{}'],
      ['b', 'y', '[]'],
    ],
  ],
  [
    'no index at all',
    [
      { id: 'a', function: { name: 'x', arguments: '{' } },
      { function: { arguments: '}' } },
      { id: 'b', function: { name: 'x', arguments: '{}' } },
    ],
    [
      ['a', 'x', '{}'],
      ['b', 'x', '{}'],
    ],
  ],
  [
    'arguments as an object',
    [{ index: 0, id: 'a', function: { name: 'x', arguments: { k: 1 } } }],
    [['a', 'x', '{"k":1}']],
  ],
  [
    'a name sent again',
    [
      { index: 0, id: 'a', function: { name: 'x' } },
      { index: 0, function: { name: 'x' } },
    ],
    [['a', 'x', '']],
  ],
])('calls are put together from %s', async (_what, pieces, expected) => {
  const { url } = await serve([calls(...pieces)]);
  const { toolCalls, finish } = await responseOf(createChatCompletionsClient(routeTo(url)));
  expect(toolCalls.map(({ id, name, argumentsJson }) => [id, name, argumentsJson])).toEqual(expected);
  expect(finish).toBe('tool_calls');
});

test('calls without an id get one from their content, the same each time', async () => {
  const step = calls({ function: { name: 'x', arguments: '{}' } }, { function: { name: 'x', arguments: '{}' } });
  const { url } = await serve([step, step]);
  const client = createChatCompletionsClient(routeTo(url));
  const [first, second] = [await responseOf(client), await responseOf(client)];
  expect(first.toolCalls.map(({ id }) => id)).toEqual(second.toolCalls.map(({ id }) => id));
  expect(new Set(first.toolCalls.map(({ id }) => id)).size).toBe(2);
});

test('inline thinking is split from the answer, however the stream is cut', () => {
  const cases = [
    ['<think>\nhm <b> \n</think>\n\nYes <think> no', 'Yes <think> no', '\nhm <b> \n'],
    ['  <thinking>a</thinking>b\n<think>c</think>d', 'b\nd', 'ac'],
    ['a < b\n  <th', 'a < b\n  <th', ''],
    ['<think>never closed', '', 'never closed'],
    ['use `<think>` here', 'use `<think>` here', ''],
  ] as const;
  for (const [whole, text, reasoning] of cases) {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 8 })), (sizes) => {
        const splitter = new ThinkingSplitter();
        const pieces: Piece[] = [];
        let rest: string = whole;
        for (const size of sizes) {
          pieces.push(...splitter.push(rest.slice(0, size)));
          rest = rest.slice(size);
        }
        pieces.push(...splitter.push(rest), ...splitter.end());
        const joined = (channel: string) =>
          pieces
            .filter((one) => one.channel === channel)
            .map((one) => one.text)
            .join('');
        expect([joined('text'), joined('reasoning')]).toEqual([text, reasoning]);
      }),
    );
  }
});

test('pieces that arrived together are drawn together', () => {
  const assembly = new ResponseAssembly();
  for (const content of ['a', 'b', 'c']) assembly.add({ choices: [{ delta: { content } }] });
  assembly.add({ choices: [{ delta: { reasoning: 'r' } }] });
  assembly.add({ choices: [{ delta: { content: 'd' } }] });
  expect(assembly.takeParts()).toEqual([
    { type: 'text.delta', text: 'abc' },
    { type: 'reasoning.delta', text: 'r' },
    { type: 'text.delta', text: 'd' },
  ]);
  expect(assembly.takeParts()).toEqual([]);
});

test.each([
  ['reasoning_content', { reasoning_content: 'why' }, { reasoning: 'why' }],
  ['reasoning', { reasoning: 'why' }, { reasoning: 'why' }],
  ['reasoning_details', { reasoning_details: [{ type: 'reasoning.text', text: 'why' }] }, { reasoning: 'why' }],
  [
    'parts',
    {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'why' }] },
        { type: 'text', text: 'x' },
      ],
    },
    { reasoning: 'why', text: 'x' },
  ],
  ['a refusal', { refusal: 'I will not.' }, { text: 'I will not.', finish: 'content_filter' }],
])('a delta may carry %s', async (_what, delta, expected) => {
  const { url } = await serve([raw([delta])]);
  expect(await responseOf(createChatCompletionsClient(routeTo(url)))).toMatchObject(expected);
});

test.each([
  ['length', 'length'],
  ['content_filter', 'content_filter'],
  ['end_turn', 'stop'],
  ['gave_up', 'unknown'],
])('the finish reason %s is told as %s', async (wire, finish) => {
  const { url } = await serve([raw([{ content: 'x' }], wire)]);
  expect((await responseOf(createChatCompletionsClient(routeTo(url)))).finish).toBe(finish);
});

test('an answer is complete without [DONE], without a finish reason before [DONE], and when the socket dies after it', async () => {
  const content = 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n';
  const { url } = await serve([
    raw([{ content: 'x' }]),
    { kind: 'raw', chunks: [content, 'data: [DONE]\n\n'] },
    { ...raw([{ content: 'x' }]), end: 'cut' },
    { kind: 'raw', contentType: 'text/plain', chunks: [content, 'data: [DONE]'] },
  ]);
  const client = createChatCompletionsClient(routeTo(url));
  for (let round = 0; round < 4; round++) {
    expect(await responseOf(client)).toEqual({ text: 'x', reasoning: '', toolCalls: [], finish: 'stop' });
  }
});

test('an empty answer with a reason to stop is an answer; so is one that was not streamed', async () => {
  const body = {
    model: 'm',
    choices: [{ message: { content: 'all at once' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1 },
  };
  const { url } = await serve([
    { kind: 'answer' },
    { kind: 'http', status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  ]);
  const client = createChatCompletionsClient(routeTo(url));
  expect(await responseOf(client)).toMatchObject({ text: '', finish: 'stop' });
  expect(await partsOf(client)).toMatchObject([
    { type: 'text.delta', text: 'all at once' },
    { type: 'response', response: { text: 'all at once', servedModel: 'm', usage: { input: 1 } } },
  ]);
});

test('text that arrived before an error is delivered before it', async () => {
  const { url } = await serve([
    {
      kind: 'raw',
      chunks: [
        'data: {"choices":[{"delta":{"content":"so far"}}]}\n\ndata: {"error":{"message":"gone","code":502}}\n\n',
      ],
    },
  ]);
  const stream = createChatCompletionsClient(routeTo(url)).stream(request())[Symbol.asyncIterator]();
  expect(await stream.next()).toMatchObject({ value: { type: 'text.delta', text: 'so far' } });
  await expect(stream.next()).rejects.toMatchObject({ reason: 'server_error', status: 502 });
});

test('calls one after the other share a connection', async () => {
  const server = await serve(() => textStep('ok'));
  const client = createChatCompletionsClient(routeTo(server.url));
  for (let round = 0; round < 5; round++) await responseOf(client);
  expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(1);
});

test('reasoning goes back only where it must, and a space stands for none', () => {
  const message: Message = { role: 'assistant', content: 'x', reasoning: 'hm' };
  expect(wireMessage(message, STANDARD)).toEqual({ role: 'assistant', content: 'x' });
  const echoing = { ...STANDARD, echoesReasoning: true };
  expect(wireMessage(message, echoing)).toMatchObject({ reasoning_content: 'hm' });
  expect(wireMessage({ role: 'assistant', content: 'x' }, echoing)).toMatchObject({ reasoning_content: ' ' });
  const body = (baseUrl: string): unknown =>
    JSON.parse(createRequestEncoder(routeTo(baseUrl))(request({ messages: [message], maxOutputTokens: 9 })).toString());
  expect(body('https://api.deepseek.com/v1')).toMatchObject({
    max_tokens: 9,
    messages: [{}, { reasoning_content: 'hm' }],
  });
  expect(body('https://api.openai.com/v1')).toMatchObject({ max_completion_tokens: 9 });
});

test('half a character never reaches the wire', () => {
  const half = '\uD83D';
  expect(wireMessage({ role: 'user', content: `a${half}` }, STANDARD)).toEqual({ role: 'user', content: 'a\uFFFD' });
});

test.each([
  ['OpenAI', { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 } }, [7, 4, 3, 0]],
  ['DeepSeek', { prompt_tokens: 10, completion_tokens: 4, prompt_cache_hit_tokens: 3 }, [7, 4, 3, 0]],
  ['Anthropic by proxy', { prompt_tokens: 10, completion_tokens: 4, cache_creation_input_tokens: 5 }, [5, 4, 0, 5]],
  ['nonsense', { prompt_tokens: -10, completion_tokens: 4 }, [0, 4, 0, 0]],
])(
  'usage of %s is told apart into fresh and cached tokens',
  (_provider, wire, [input, output, cacheRead, cacheWrite]) => {
    expect(usageOf(wire)).toMatchObject({ input, output, cacheRead, cacheWrite });
  },
);

test('counts of zero are no counts', () => {
  expect([usageOf({ prompt_tokens: 0, completion_tokens: 0 }), usageOf(null)]).toEqual([undefined, undefined]);
});
