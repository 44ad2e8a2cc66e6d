import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { callLimits, LOCAL_LIMITS, REMOTE_LIMITS } from './call-limits.ts';
import { EventStreamParser } from './event-stream.ts';
import { createHttpTransport } from './http-transport.ts';
import { readText } from './read-text.ts';

test('events are found whatever the line ends, comments and borders of the pieces', () => {
  const stream =
    '\uFEFF: hello\r\ndata: {"a":1}\r\n\r\nevent: x\ndata:{"b":\ndata:2}\nid: 7\n\ndata:\n\n: keep-alive\n\ndata: 数据\n\ndata: [DONE]';
  const events = ['{"a":1}', '{"b":\n2}', '数据', '[DONE]'];
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 })), (sizes) => {
      const parser = new EventStreamParser();
      const found: string[] = [];
      let rest = stream;
      for (const size of sizes) {
        found.push(...parser.push(rest.slice(0, size)));
        rest = rest.slice(size);
      }
      expect([...found, ...parser.push(rest), ...parser.end()]).toEqual(events);
    }),
  );
});

test.each([
  'http://localhost:1234/v1',
  'http://127.0.0.1:8080',
  'http://[::1]:8000/v1',
  'http://192.168.1.7/v1',
  'http://172.20.0.2/v1',
  'http://box.local/v1',
])('%s is local and may stay silent for half an hour', (url) => {
  expect(callLimits(url)).toEqual(LOCAL_LIMITS);
});

test.each(['https://openrouter.ai/api/v1', 'http://172.40.0.2/v1', 'https://localhost.example.com', 'not a url'])(
  '%s is remote and may stay silent for two minutes',
  (url) => {
    expect(callLimits(url)).toEqual(REMOTE_LIMITS);
    expect(REMOTE_LIMITS).toEqual({ wholeMs: 1_800_000, silenceMs: 120_000 });
  },
);

test('requests go through the proxy that the environment names, except those to this machine', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    seen.push(request.url);
    response.end('ok');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const { signal } = new AbortController();

  const proxied = createHttpTransport({ proxyEnv: { HTTP_PROXY: origin } });
  const through = await proxied({ method: 'GET', url: 'http://model.test/v1/models', headers: {}, signal });
  expect(await readText(through, 100)).toBe('ok');
  const dead = createHttpTransport({ proxyEnv: { HTTP_PROXY: 'http://127.0.0.1:1' } });
  await readText(await dead({ method: 'GET', url: `${origin}/direct`, headers: {}, signal }), 100);
  expect(seen).toEqual(['http://model.test/v1/models', '/direct']);
});
