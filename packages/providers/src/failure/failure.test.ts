import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { FAULTS, type HttpStep, type RawStep, type Step } from '@hermes/model-server';
import { expect, onTestFinished, test } from 'vitest';
import { createChatCompletionsClient } from '../chat-completions/chat-completions-client.ts';
import { request, responseOf, routeTo, serve } from '../testing/test-call.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { selfSignedCertificate } from '../testing/self-signed-certificate.ts';
import { FAILURE_TABLE, failureRow } from './failure-table.ts';
import { ProviderError } from './provider-error.ts';
import { retryAfterMs } from './retry-after.ts';

function answers(status: number, message: string, more: object = {}, headers: Record<string, string> = {}): HttpStep {
  return { kind: 'http', status, headers, body: JSON.stringify({ error: { message, ...more } }) };
}

function reports(error: object): RawStep {
  return { kind: 'raw', chunks: [`data: ${JSON.stringify({ error })}\n\n`] };
}

/** For every row that a server's answer can lead to: what providers really answer. */
const ANSWERS: Readonly<Record<string, readonly Step[]>> = {
  'stream cut': [
    FAULTS.cutStream(),
    { kind: 'raw', chunks: ['data: {"choices":[{"delta":{"content":"half an ans"}}]}\n\n'] },
    { kind: 'raw', chunks: ['data: {"choices":[{"delta":{"content":"half"}}]}\n\n'], end: 'cut' },
  ],
  'nothing usable in a success': [
    FAULTS.malformedSse(),
    { kind: 'raw', chunks: [] },
    { kind: 'raw', chunks: ['data: [DONE]\n\n'] },
    { kind: 'raw', chunks: [': keep-alive\n\n', 'data:\n\n'] },
    { kind: 'raw', chunks: ['data: {"choices":[{"delta":{},"finish_reason":"gave_up"}]}\n\n'] },
  ],
  'not a model server': [
    FAULTS.htmlPage(),
    { kind: 'http', status: 200, headers: { 'content-type': 'application/json' }, body: '{"hello":"world"}' },
  ],
  'blocked on the way': [FAULTS.htmlPage({ status: 403 })],
  'request too large': [answers(413, 'too big'), answers(400, 'Request entity too large')],
  'server out of memory': [answers(500, 'CUDA out of memory'), answers(400, 'x', { code: 'prefill_memory_exceeded' })],
  'credit spent': [
    FAULTS.paymentRequired(),
    answers(429, 'You exceeded your current quota, please check your plan', { code: 'insufficient_quota' }),
    answers(400, 'Your credit balance is too low to access the API'),
    answers(403, 'You have reached your monthly spending limit'),
  ],
  'rate limit behind an aggregator': [
    answers(429, 'Provider returned error', {
      metadata: { raw: 'model-x is temporarily rate-limited upstream', provider_name: 'X' },
    }),
  ],
  'overloaded, in words': [
    FAULTS.unavailable(),
    FAULTS.errorFrame(),
    answers(429, 'The model is overloaded, try later'),
    answers(403, 'The engine is at capacity'),
  ],
  'rate limit': [
    FAULTS.rateLimited(),
    answers(402, 'Usage limit reached, resets in 4hr 5min'),
    answers(429, 'You exceeded your current quota. Please retry in 17.5s.', { status: 'RESOURCE_EXHAUSTED' }),
    reports({ message: 'Too many requests', code: 429 }),
    reports({ message: 'Rate limit hit' }),
  ],
  'answer longer than allowed': [
    answers(400, 'max_tokens is too large: 100000. This model supports at most 16384 completion tokens'),
  ],
  'conversation too long': [
    FAULTS.contextOverflow(),
    answers(400, 'prompt is too long: 210000 tokens > 200000 maximum'),
    answers(500, 'the request exceeds the available context size'),
    { kind: 'http', status: 422, body: JSON.stringify({ detail: [{ msg: 'Input is too long for this model' }] }) },
    answers(400, 'Provider returned error', {
      metadata: { raw: JSON.stringify({ error: { message: 'oops', code: 'context_length_exceeded' } }) },
    }),
  ],
  'content policy': [
    answers(400, 'Rejected', { code: 'content_policy_violation' }),
    answers(400, 'The response was filtered due to our content management policy'),
  ],
  'model unknown': [
    FAULTS.modelNotFound(),
    { kind: 'http', status: 404, body: '{"error":"model \\"llama9\\" not found, try pulling it first"}' },
    answers(404, 'No endpoints found that support tool use'),
    answers(400, 'gpt-99 is not a valid model ID'),
  ],
  'key refused': [
    FAULTS.unauthorized(),
    answers(403, 'Forbidden'),
    { kind: 'http', status: 401, body: '' },
    reports({ message: 'Invalid API key' }),
  ],
  'timed out at the provider': [
    answers(408, 'Request timed out'),
    reports({ message: 'x', status: 'DEADLINE_EXCEEDED' }),
  ],
  'overloaded, by status': [{ kind: 'http', status: 503, body: 'no healthy host' }, answers(529, 'busy')],
  'error of the server': [
    FAULTS.serverError(),
    FAULTS.htmlPage({ status: 502 }),
    answers(504, 'gateway timeout'),
    reports({ message: 'x', type: 'server_error' }),
  ],
  'address that nobody serves': [{ kind: 'http', status: 404, body: '404 page not found' }],
  redirected: [{ kind: 'http', status: 301, headers: { location: 'https://example.com/v1' }, body: '' }],
  'request refused': [answers(400, 'Unknown parameter: stream_options'), answers(422, 'nope')],
  'anything else': [reports({ message: 'Something went wrong' })],
};

/** Rows that no answer of a server leads to have tests of their own below. */
const WITHOUT_ANSWER = ['certificate refused', 'key that cannot be sent', 'no connection', 'limit of the call reached'];

function rowNamed(name: string) {
  const row = FAILURE_TABLE.find((candidate) => candidate.name === name);
  if (row === undefined) throw new Error(`There is no row ${name}.`);
  return row;
}

async function failureOf(baseUrl: string, rest: { apiKey?: string; keyEnv?: string } = {}): Promise<ProviderError> {
  const error = await responseOf(createChatCompletionsClient(routeTo(baseUrl, rest))).catch(
    (reason: unknown) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw new Error('The call did not fail with a ProviderError.', { cause: error });
}

test('every row of the failure table has a case here', () => {
  const names = FAILURE_TABLE.map(({ name }) => name);
  expect([...Object.keys(ANSWERS), ...WITHOUT_ANSWER].sort()).toEqual([...names].sort());
});

test.each(Object.keys(ANSWERS))('%s: every answer of that kind is recognised, in one request', async (name) => {
  const { reason, retryable, advice } = rowNamed(name);
  for (const step of ANSWERS[name] ?? []) {
    const server = await serve([step]);
    const error = await failureOf(server.url);
    expect(error, JSON.stringify(step)).toMatchObject({ reason, retryable });
    expect(error.message).toContain(new URL(server.url).host);
    expect(error.message).toContain(advice(routeTo(server.url)));
    expect(server.requests.length).toBe(1);
  }
});

test('the message names host and status, repeats the provider and says what to do, without the key', async () => {
  const apiKey = 'sk-test-1234567890abcdef';
  const { url } = await serve([answers(401, `Incorrect API key provided: ${apiKey}.\nSee the docs.`)]);
  const error = await failureOf(url, { apiKey, keyEnv: 'TEST_API_KEY' });
  expect(error.message).not.toContain(apiKey);
  expect(error.message.replace(/provided: \S+/, 'provided: (masked)')).toBe(
    `${new URL(url).host} answered 401: Incorrect API key provided: (masked) See the docs. ` +
      'Check the key in TEST_API_KEY; set a new one with `hermes config set TEST_API_KEY <key>`.',
  );
  expect(error.status).toBe(401);
});

test('nobody listens, a name nobody knows, a server that hangs up: no connection', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const refused = new URL('http://127.0.0.1/v1');
  const address = free.address();
  if (address !== null && typeof address === 'object') refused.port = String(address.port);
  free.close();
  await once(free, 'close');
  // A label of more than 63 letters is no name, so that no name server is asked.
  const unknown = `http://${'x'.repeat(64)}.test/v1`;
  const rude = createServer((socket) => socket.once('data', () => socket.resetAndDestroy())).listen(0, '127.0.0.1');
  onTestFinished(() => void rude.close());
  await once(rude, 'listening');
  const rudeAddress = rude.address();
  const rudePort = rudeAddress !== null && typeof rudeAddress === 'object' ? rudeAddress.port : 0;

  const cases = [
    [refused.href, 'nothing listens there (ECONNREFUSED)'],
    [unknown, 'its name is unknown (ENOTFOUND)'],
    [`http://127.0.0.1:${rudePort}/v1`, 'the connection was closed (ECONNRESET)'],
  ] as const;
  for (const [url, words] of cases) {
    const error = await failureOf(url);
    expect(error).toMatchObject({ reason: 'timeout', retryable: true, status: undefined });
    expect(error.message).toContain(words);
  }
});

test('a certificate that nobody vouches for is told apart from a missing connection', async () => {
  const server = createHttpsServer(selfSignedCertificate()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const error = await failureOf(`https://127.0.0.1:${port}/v1`);
  expect(error).toMatchObject({ reason: 'tls_certificate', retryable: false });
  expect(error.message).toContain('NODE_EXTRA_CA_CERTS');
});

test('a key with a line break is refused before anything is sent', async () => {
  const server = await serve([]);
  const error = await failureOf(server.url, { apiKey: 'secret\nkey', keyEnv: 'TEST_API_KEY' });
  expect(error).toMatchObject({ reason: 'auth', retryable: false });
  expect(error.message).not.toContain('secret');
  expect(server.requests).toEqual([]);
});

test('silence ends a call after its limit and not before; bytes start the count anew', async () => {
  const clock = new ManualClock();
  const server = await serve([
    { kind: 'silence' },
    { kind: 'raw', chunks: ['data: {"choices":[{"delta":{"content":"Hm"}}]}\n\n'], end: 'hold' },
  ]);
  const client = createChatCompletionsClient(routeTo(server.url, { limits: { wholeMs: 3_600_000 } }), { clock });

  const silent = responseOf(client);
  await server.received(0);
  clock.advance(1_799_999);
  expect(server.requests[0]?.outcome).toBe('open');
  clock.advance(1);
  await expect(silent).rejects.toMatchObject({
    reason: 'timeout',
    message: expect.stringContaining('nothing for 1800 s'),
  });
  expect((await server.ended(0)).outcome).toBe('client_closed');

  const limited = createChatCompletionsClient(routeTo(server.url, { limits: { silenceMs: 5_000 } }), { clock });
  const stream = limited.stream(request())[Symbol.asyncIterator]();
  await stream.next();
  // Time that the reader takes for itself is no silence of the server.
  clock.advance(4_000);
  const next = stream.next();
  await settled();
  clock.advance(4_999);
  await settled();
  expect(server.requests[1]?.outcome).toBe('open');
  clock.advance(1);
  await expect(next).rejects.toMatchObject({ reason: 'timeout', retryable: true });
});

/** Lets everything that can go on go on. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

test('a call that never ends is ended by the limit for the whole of it', async () => {
  const clock = new ManualClock();
  const server = await serve([{ kind: 'silence' }]);
  const limits = { wholeMs: 10_000, silenceMs: 60_000 };
  const late = responseOf(createChatCompletionsClient(routeTo(server.url, { limits }), { clock }));
  await server.received(0);
  clock.advance(10_000);
  await expect(late).rejects.toMatchObject({
    reason: 'timeout',
    message: expect.stringContaining('not complete after 10 s'),
  });
});

test('the wait a provider asks for is found wherever it says so; zero and the past count as nothing', async () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const wait = (headers: Record<string, string>, body?: { [key: string]: string | number | object }, text = '') =>
    retryAfterMs(headers, body === undefined ? undefined : JSON.parse(JSON.stringify(body)), text, now);
  expect(wait({ 'retry-after': '171' })).toBe(171_000);
  expect(wait({ 'retry-after': '1.5' })).toBe(1_500);
  expect(wait({ 'retry-after-ms': '250', 'retry-after': '9' })).toBe(250);
  expect(wait({ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' })).toBe(30_000);
  expect(wait({ 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' })).toBeUndefined();
  expect(wait({ 'retry-after': '0' }, { retry_after: 3 })).toBe(3_000);
  expect(wait({}, { details: [{ retryDelay: '17.5s' }] })).toBe(17_500);
  expect(wait({}, undefined, 'please try again in 1m30s.')).toBe(90_000);
  expect(wait({}, undefined, 'usage limit reached, resets in 4hr 5min')).toBe(14_700_000);
  expect(wait({ 'retry-after': 'soon' })).toBeUndefined();

  const { url } = await serve([FAULTS.rateLimited({ retryAfter: '7' })]);
  expect(await failureOf(url)).toMatchObject({ reason: 'rate_limit', retryAfterMs: 7_000, status: 429 });
});

test('rate and memory wording win over overflow wording', () => {
  const text = 'rate limit reached: too many tokens, reduce the length of the messages';
  expect(failureRow({ kind: 'http', status: 429, text }).reason).toBe('rate_limit');
  expect(failureRow({ kind: 'http', status: 500, text: 'out of memory: prompt is too long' }).reason).toBe(
    'memory_ceiling',
  );
  expect(failureRow({ kind: 'http', status: 429, text: 'usage limit: rate limit per minute' }).reason).toBe(
    'rate_limit',
  );
});
