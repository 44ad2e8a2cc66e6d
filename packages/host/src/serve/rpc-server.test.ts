import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { callsStep, type ModelServer, type Script, startModelServer, textStep } from '@hermes/model-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Host, openHost } from '../host/host.ts';
import { HostClient, type HostEvent, lineTransport, PROTOCOL_VERSION, RpcError } from '../rpc/index.ts';
import { RpcServer } from './rpc-server.ts';

let dir: string;
const cleanups: (() => unknown)[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hermes-rpc-'));
  mkdirSync(join(dir, 'project'));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  rmSync(dir, { recursive: true, force: true });
});

interface Connected {
  readonly host: Host;
  readonly client: HostClient;
  readonly events: HostEvent[];
  readonly toServer: PassThrough;
  readonly lines: string[];
  readonly until: (type: HostEvent['type']) => Promise<HostEvent>;
}

async function startServer(script: Script): Promise<ModelServer> {
  const server = await startModelServer({ script });
  cleanups.push(() => server.close());
  mkdirSync(join(dir, 'home'), { recursive: true });
  writeFileSync(
    join(dir, 'home', 'config.yaml'),
    `model: { provider: bench, default: m }\nproviders: { bench: { base_url: "${server.url}" } }\n`,
  );
  return server;
}

/** A host and a client joined by two streams, as a process and its parent are. */
async function connect(): Promise<Connected> {
  const home = join(dir, 'home');
  const host = await openHost({
    scope: { root: home, home, profile: 'default' },
    env: {},
    surface: 'tui',
    cwd: join(dir, 'project'),
  });
  cleanups.push(() => host.close());
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const lines: string[] = [];
  toClient.on('data', (chunk: Buffer) =>
    lines.push(
      ...chunk
        .toString()
        .split('\n')
        .filter((line) => line !== ''),
    ),
  );
  const client = new HostClient(lineTransport(toClient, toServer));
  const events: HostEvent[] = [];
  const waiting = new Set<(event: HostEvent) => void>();
  client.onEvent((event) => {
    events.push(event);
    for (const listener of waiting) listener(event);
  });
  const server = new RpcServer(host, lineTransport(toServer, toClient), '1.2.3');
  cleanups.push(async () => {
    client.close();
    await server.closed;
  });
  const until = (type: HostEvent['type']) =>
    new Promise<HostEvent>((resolve) => {
      const listener = (event: HostEvent) => {
        if (event.type !== type) return;
        waiting.delete(listener);
        resolve(event);
      };
      waiting.add(listener);
    });
  return { host, client, events, toServer, lines, until };
}

const hello = (client: HostClient) => client.call('hello', { protocol: PROTOCOL_VERSION, app_version: '1.0.0' });
const create = async ({ client, host }: Connected) =>
  (await client.call('session.create', { request_id: 'create', cwd: host.cwd })).session.session_id;
const submit = (
  client: HostClient,
  sessionId: string,
  text: string,
  requestId = text,
  intent: 'queue' | 'steer' = 'queue',
) => client.call('prompt.submit', { request_id: requestId, session_id: sessionId, text, intent });

describe('the JSON-RPC surface', () => {
  test('greets, tells profile and route, and refuses another protocol', async () => {
    await startServer([]);
    const { client } = await connect();
    expect(await client.ready).toMatchObject({ protocol_version: PROTOCOL_VERSION, version: '1.2.3' });
    expect(await hello(client)).toMatchObject({
      profile: 'default',
      route: { provider: 'bench', model: 'm', scripted: false },
      route_problem: null,
    });
    await expect(client.call('hello', { protocol: 99, app_version: '1' })).rejects.toThrow('protocol');
  });

  test('runs a turn: events arrive in order, numbered without a gap, and the history shows the same', async () => {
    await startServer([
      callsStep({ id: 'c', name: 'terminal', arguments: '{"command":"echo hi"}' }),
      textStep('All done.'),
    ]);
    const connected = await connect();
    const { client, events, until } = connected;
    const sessionId = await create(connected);
    const ended = until('message.complete');
    expect(await submit(client, sessionId, 'go')).toMatchObject({ status: 'streaming' });
    expect((await ended).payload).toMatchObject({ status: 'completed', text: 'All done.', explanation: null });
    const own = events.filter((event) => event.session_id === sessionId);
    expect(own.map((event) => event.seq)).toEqual(own.map((_, index) => index + 1));
    const types = own.map((event) => event.type);
    expect(types.indexOf('message.start')).toBeLessThan(types.indexOf('tool.start'));
    expect(types.indexOf('tool.start')).toBeLessThan(types.indexOf('tool.complete'));
    const { blocks } = await client.call('session.history', { session_id: sessionId });
    expect(blocks.map((block) => block.kind)).toEqual(['user', 'tool', 'assistant']);
    expect(blocks[1]).toMatchObject({ name: 'terminal', summary: expect.stringContaining('echo hi'), status: 'ok' });
  });

  test('a request that is repeated changes nothing and gets the first answer', async () => {
    await startServer([textStep('one'), textStep('two')]);
    const connected = await connect();
    const { client, until, host } = connected;
    const sessionId = await create(connected);
    expect(await create(connected)).toBe(sessionId);
    const ended = until('message.complete');
    const first = await submit(client, sessionId, 'go', 'r1');
    expect(await submit(client, sessionId, 'go', 'r1')).toEqual(first);
    await ended;
    expect(await host.store.activeRows(sessionId)).toHaveLength(2);
  });

  test('input while a turn runs is queued or steered, and each tells what became of it', async () => {
    await startServer([
      callsStep({ id: 'c', name: 'terminal', arguments: '{"command":"until test -e go; do sleep 0.02; done"}' }),
      textStep('first done'),
      textStep('second done'),
    ]);
    const connected = await connect();
    const { client, until, host } = connected;
    const sessionId = await create(connected);
    const running = until('tool.start');
    await submit(client, sessionId, 'first');
    await running;
    expect(await submit(client, sessionId, 'hurry', 'r2', 'steer')).toMatchObject({ status: 'steered' });
    expect(await submit(client, sessionId, 'second', 'r3', 'queue')).toMatchObject({ status: 'queued' });
    const firstDone = until('message.complete');
    writeFileSync(join(dir, 'project', 'go'), '');
    await firstDone;
    await until('message.complete');
    const rows = await host.store.activeRows(sessionId);
    expect(rows.map((row) => [row.role, row.role === 'tool' ? '' : row.content])).toEqual([
      ['user', 'first'],
      ['assistant', ''],
      ['tool', ''],
      ['user', 'hurry'],
      ['assistant', 'first done'],
      ['user', 'second'],
      ['assistant', 'second done'],
    ]);
  });

  test('an interrupt stops the running turn; with nothing running it says so', async () => {
    await startServer([callsStep({ id: 'c', name: 'terminal', arguments: '{"command":"sleep 60"}' })]);
    const connected = await connect();
    const { client, until } = connected;
    const sessionId = await create(connected);
    const running = until('tool.start');
    const ended = until('message.complete');
    await submit(client, sessionId, 'go');
    await running;
    expect(await client.call('session.interrupt', { session_id: sessionId })).toEqual({ interrupted: true });
    expect((await ended).payload).toMatchObject({ status: 'interrupted' });
    expect(await client.call('session.interrupt', { session_id: sessionId })).toEqual({ interrupted: false });
  });

  test('a client that comes back gets the events it missed, or is told to fetch the history', async () => {
    await startServer([textStep('one')]);
    const connected = await connect();
    const { client, until, events } = connected;
    const { replay_epoch: epoch } = await client.ready;
    const sessionId = await create(connected);
    const ended = until('message.complete');
    await submit(client, sessionId, 'go');
    await ended;
    const since = await client.call('session.events.since', { session_id: sessionId, epoch, last_seen: 2 });
    expect(since.truncated).toBe(false);
    expect(since.events).toEqual(events.filter((event) => event.seq > 2 && event.seq <= since.latest_seq));
    expect(
      await client.call('session.events.since', { session_id: sessionId, epoch: 'other', last_seen: 2 }),
    ).toMatchObject({ truncated: true });
  });

  test('garbage, unknown methods, wrong parameters and unknown sessions are refused by name, and the connection goes on', async () => {
    await startServer([]);
    const { client, toServer, lines } = await connect();
    await client.ready;
    toServer.write('this is not json\n{"jsonrpc":"2.0","id":7,"method":"no.such"}\n{"hello":1}\n');
    await expect(submit(client, 'nope', 'go')).rejects.toMatchObject({ code: 4001 });
    await expect(client.call('session.create', { request_id: '', cwd: '/' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.call('session.create', { request_id: 'x', cwd: '/no/such/dir' })).rejects.toMatchObject({
      code: 4017,
    });
    await expect(client.call('session.resume', { ref: 'nope' })).rejects.toBeInstanceOf(RpcError);
    const codes = lines.flatMap((line) => (line.includes('"error"') ? [JSON.parse(line).error.code as number] : []));
    expect(codes).toEqual(expect.arrayContaining([-32700, -32601, -32600]));
  });

  test('without a provider a prompt is refused with what to do, and choosing a model makes it work', async () => {
    const connected = await connect();
    const { client, until } = connected;
    expect(await hello(client)).toMatchObject({
      route: null,
      route_problem: expect.stringContaining('hermes config set'),
    });
    const sessionId = await create(connected);
    await expect(submit(client, sessionId, 'what is hermes')).rejects.toThrow('No model provider');
    const chosen = await client.call('setup.select_model', {
      request_id: 's',
      provider: 'demo',
      model: 'scripted',
      persist: true,
    });
    expect(chosen).toMatchObject({
      route: { scripted: true },
      notice: expect.stringContaining('cannot be the default'),
    });
    const ended = until('message.complete');
    await submit(client, sessionId, 'what is hermes', 'again');
    expect((await ended).payload).toMatchObject({ status: 'completed' });
  });

  test('a local server that is chosen for good is written into the settings', async () => {
    const server = await startModelServer({ script: [textStep('from local')] });
    cleanups.push(() => server.close());
    const { client } = await connect();
    await client.call('setup.select_model', {
      request_id: 's',
      provider: 'llamacpp',
      model: 'tiny',
      base_url: server.url,
      persist: true,
    });
    const written = readFileSync(join(dir, 'home', 'config.yaml'), 'utf8');
    expect(written).toContain(server.url);
    expect(written).toContain('tiny');
  });

  test('slash commands answer text; an unknown one is named with its neighbours', async () => {
    await startServer([]);
    const connected = await connect();
    const { client } = connected;
    const sessionId = await create(connected);
    const { commands } = await client.call('commands.catalog', {});
    expect(commands.map((command) => command.name)).toEqual(['help', 'model', 'sessions', 'status']);
    expect(await client.call('command.dispatch', { session_id: sessionId, text: '/status' })).toMatchObject({
      type: 'exec',
      output: expect.stringContaining('bench/m'),
    });
    expect(await client.call('command.dispatch', { session_id: null, text: '/staus' })).toMatchObject({
      type: 'unknown',
      nearest: ['status'],
    });
  });

  test('pending calls are rejected when the connection closes', async () => {
    await startServer([]);
    const { client } = await connect();
    await client.ready;
    const pending = client.call('session.list', {});
    client.close();
    await expect(pending).rejects.toThrow('closed');
    await expect(client.call('session.list', {})).rejects.toThrow('closed');
  });
});
