import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { startModelServer } from '@hermes/model-server';
import { expect, onTestFinished, test } from 'vitest';
import { LOCAL_PORTS, probeLocalServers } from './probe-local-servers.ts';

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return addressOf(server).port;
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address;
}

/** An HTTP server that answers everything with this body. */
function says(body: string, status = 200) {
  return createHttpServer((_request, response) => response.writeHead(status).end(body));
}

test('servers that list models are found, with their models, and everything else is passed over', async () => {
  const model = await startModelServer({ script: [], models: ['qwen3', 'llama'] });
  onTestFinished(() => model.close());
  const gone = await portOf(createServer());
  const ports = {
    nobody: gone + 1,
    page: await portOf(says('<html></html>')),
    other: await portOf(says('{"data":"no list"}')),
    error: await portOf(says('{"data":[]}', 500)),
    mixed: await portOf(says('{"data":[{"id":"a"},{"id":7},null,"b"]}')),
    binary: await portOf(createServer((socket) => socket.end('\u0000\u0001 not HTTP'))),
    rude: await portOf(createServer((socket) => socket.destroy())),
    mute: await portOf(
      createServer((socket) => {
        onTestFinished(() => void socket.destroy());
      }),
    ),
    good: Number(new URL(model.url).port),
  };
  expect(await probeLocalServers({ ports, timeoutMs: 300 })).toEqual([
    { name: 'mixed', baseUrl: `http://127.0.0.1:${ports.mixed}/v1`, models: ['a'] },
    { name: 'good', baseUrl: model.url, models: ['qwen3', 'llama'] },
  ]);
});

test('the usual ports are those of the usual servers', () => {
  expect(LOCAL_PORTS).toEqual({ ollama: 11434, lmstudio: 1234, 'llama.cpp': 8080, vllm: 8000 });
});
