import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import {
  callsStep,
  FAULTS,
  faultScript,
  type ModelServerOptions,
  roundsScript,
  sharedPrefixBytes,
  startModelServer,
  textStep,
} from './index.ts';

const USER = { role: 'user', content: 'go' };
const CALL = { id: 'call_1', type: 'function', function: { name: 'terminal', arguments: '{}' } };
const TOOL = { type: 'function', function: { name: 'terminal', parameters: { type: 'object', properties: {} } } };

async function start(options: ModelServerOptions) {
  const server = await startModelServer(options);
  onTestFinished(() => server.close());
  return server;
}

function ask(url: string, body: object): Promise<Response> {
  return fetch(`${url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [USER], ...body }),
  });
}

/** The parsed events of a stream; `[DONE]` stays text. */
async function events(response: Response): Promise<unknown[]> {
  const frames = (await response.text()).split('\n\n').filter((frame) => frame.startsWith('data: '));
  return frames.map((frame) => (frame === 'data: [DONE]' ? '[DONE]' : JSON.parse(frame.slice(6))));
}

test('a scripted answer is streamed in pieces of the size asked for, with usage only when the client wants it', async () => {
  const step = textStep('Hello world', { reasoning: 'hm', chunkSize: 6 });
  const { url } = await start({ script: [step, step] });
  const stream = await events(await ask(url, { stream: true, stream_options: { include_usage: true } }));
  expect(stream).toMatchObject([
    { choices: [{ delta: { role: 'assistant' } }] },
    { choices: [{ delta: { reasoning_content: 'hm' } }] },
    { choices: [{ delta: { content: 'Hello ' } }] },
    { choices: [{ delta: { content: 'world' } }] },
    { choices: [{ finish_reason: 'stop' }] },
    { choices: [], usage: { completion_tokens: 4 } },
    '[DONE]',
  ]);
  const bare = await events(await ask(url, { stream: true }));
  expect(JSON.stringify(bare)).not.toContain('usage');
});

test('tool calls carry their extra fields and the arguments as the script wrote them, streamed or not', async () => {
  const step = callsStep({ id: 'call_1', name: 'terminal', arguments: '{"a": 1', extra: { signature: 's' } });
  const { url } = await start({ script: [{ ...step, chunkSize: 4 }, step] });
  const stream = await events(await ask(url, { stream: true }));
  expect(stream.slice(1)).toMatchObject([
    { choices: [{ delta: { tool_calls: [{ index: 0, id: 'call_1', signature: 's' }] } }] },
    { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] } }] },
    { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: ': 1' } }] } }] },
    { choices: [{ finish_reason: 'tool_calls' }] },
    '[DONE]',
  ]);
  expect(await (await ask(url, {})).json()).toMatchObject({
    choices: [{ message: { tool_calls: [{ function: { arguments: '{"a": 1' }, signature: 's' }] } }],
  });
});

test.each([
  ['no messages', [], 'at least one entry'],
  ['an unknown role', [{ role: 'robot', content: 'x' }], 'Unknown role robot'],
  ['an internal field', [{ ...USER, display: 'hidden' }], 'Unrecognized field display'],
  ['instructions in the middle', [USER, { role: 'system', content: 'x' }], 'Instructions must come first'],
  ['two users in a row', [USER, USER], 'Roles must alternate'],
  ['an assistant that starts', [{ role: 'assistant', content: 'x' }], 'must come from the user'],
  ['an assistant that ends', [USER, { role: 'assistant', content: 'x' }], 'last message'],
  ['a call nobody answered', [USER, { role: 'assistant', content: null, tool_calls: [CALL] }, USER], 'missing: call_1'],
  ['a result without a call', [USER, { role: 'tool', tool_call_id: 'call_9', content: 'x' }], 'call_9 answers no open'],
  [
    'a call answered twice',
    [
      USER,
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_1', content: 'x' },
      { role: 'tool', tool_call_id: 'call_1', content: 'x' },
    ],
    'call_1 answers no open',
  ],
  [
    'arguments that are not text',
    [USER, { role: 'assistant', tool_calls: [{ ...CALL, function: { name: 'terminal', arguments: {} } }] }],
    'arguments as text',
  ],
  ['an empty assistant', [USER, { role: 'assistant', content: null }, USER], 'needs content or tool calls'],
])('a request with %s is refused with the reason and uses up no step', async (_what, messages, reason) => {
  const server = await start({ script: [textStep('fine')] });
  const refused = await ask(server.url, { messages });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining(reason) } });
  expect(server.requests[0]?.rejected).toContain(reason);
  expect((await ask(server.url, {})).status).toBe(200);
});

test.each([
  ['no schema', [{ type: 'function', function: { name: 'a' } }], undefined, 'JSON Schema'],
  [
    'a name with spaces',
    [{ type: 'function', function: { ...TOOL.function, name: 'a b' } }],
    undefined,
    'name of letters',
  ],
  ['the same name twice', [TOOL, TOOL], undefined, 'Duplicate tool name'],
  ['a choice but no tools', undefined, 'none', "needs 'tools'"],
])('tools with %s are refused', async (_what, tools, tool_choice, reason) => {
  const { url } = await start({ script: [textStep('fine')] });
  expect(await (await ask(url, { tools, tool_choice })).json()).toMatchObject({
    error: { message: expect.stringContaining(reason) },
  });
});

test('a whole conversation with parallel calls is accepted', async () => {
  const { url } = await start({ script: [textStep('fine')] });
  const messages = [
    { role: 'system', content: 'be brief' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'data:,' } },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [CALL, { ...CALL, id: 'call_2', extra_content: {} }] },
    { role: 'tool', tool_call_id: 'call_2', content: 'b' },
    { role: 'tool', tool_call_id: 'call_1', content: 'a' },
    { role: 'assistant', content: 'ok' },
    USER,
  ];
  expect((await ask(url, { messages, tools: [TOOL], tool_choice: 'none' })).status).toBe(200);
});

test('faults have the status, headers and bodies of real providers', async () => {
  const script = [FAULTS.rateLimited({ retryAfter: '7' }), FAULTS.htmlPage({ status: 502 }), FAULTS.contextOverflow()];
  const { url } = await start({ script });
  const limited = await ask(url, {});
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
  const page = await ask(url, {});
  expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
  expect(await (await ask(url, {})).json()).toMatchObject({ error: { code: 'context_length_exceeded' } });
  expect(await (await ask(url, {})).json()).toMatchObject({
    error: { message: 'The script has no step for request 3.' },
  });
});

test('a cut stream delivers its first events and then breaks; the log says that the server did it', async () => {
  const server = await start({ script: [FAULTS.cutStream({ chunks: 2 })] });
  const response = await ask(server.url, { stream: true });
  await expect(response.text()).rejects.toThrow('terminated');
  expect(await server.ended(0)).toMatchObject({ outcome: 'cut', status: 200 });
});

test('a silent server holds the socket until the client leaves, and the log says who left', async () => {
  const server = await start({ script: [FAULTS.silence()] });
  const controller = new AbortController();
  const answer = fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [USER] }),
    signal: controller.signal,
  });
  await server.received(0);
  controller.abort();
  await expect(answer).rejects.toThrow('aborted');
  expect((await server.ended(0)).outcome).toBe('client_closed');
});

test('the rounds script answers by what the request holds, so that a repeated request gets the same answer', () => {
  const script = roundsScript({ rounds: 1 });
  const first = { model: 'm', messages: [USER], tools: [TOOL] };
  const second = {
    ...first,
    messages: [USER, { role: 'assistant', tool_calls: [{ ...CALL, type: 'function' as const }] }],
  };
  const call = callsStep({ id: 'call_1', name: 'terminal', arguments: '{"command":"true"}' });
  expect([script(0, first), script(1, first)]).toEqual([call, call]);
  expect(script(2, second)).toEqual(textStep('Done after 1 rounds.'));
  const next = { ...second, messages: [...second.messages, USER] };
  expect(script(3, next)).toMatchObject({ toolCalls: [{ id: 'call_2' }] });
  const broken = faultScript('malformedArguments', { rounds: 2 });
  expect(broken(0, second)).toMatchObject({ toolCalls: [{ id: 'call_2', arguments: '{"command": "true' }] });
  expect(broken(1, second)).toMatchObject({ toolCalls: [{ id: 'call_2', arguments: '{"command":"true"}' }] });
});

test('the shared prefix is counted in bytes and reported as cached tokens', async () => {
  expect(sharedPrefixBytes('数据a', '数据b')).toBe(6);
  const server = await start({ script: [textStep('a'), textStep('b')] });
  await ask(server.url, {});
  const shared = sharedPrefixBytes(server.requests[0]?.raw ?? '', JSON.stringify({ model: 'm', messages: [USER] }));
  expect(await (await ask(server.url, {})).json()).toMatchObject({
    usage: { prompt_tokens_details: { cached_tokens: Math.floor(shared / 4) } },
  });
});

test('as a process it prints its address, lists its models and gives the log with times', async () => {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, '--script', 'rounds', '--rounds', '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url } = JSON.parse(line);
  expect(await (await fetch(`${url}/models`)).json()).toMatchObject({ data: [{ id: 'scripted-model' }] });
  expect(await (await ask(url, { tools: [TOOL] })).json()).toMatchObject({
    choices: [{ finish_reason: 'tool_calls' }],
  });
  expect(await (await fetch(new URL('/__log', url))).json()).toMatchObject([
    { index: 0, outcome: 'sent', status: 200, arrivedAt: expect.any(Number), endedAt: expect.any(Number) },
  ]);
});
