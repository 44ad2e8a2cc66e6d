import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@hermes/runtime';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Lease, LEASE_TTL_MS } from '../store/lease.ts';
import type { SessionStore } from '../store/session-store.ts';
import { openSqliteStore } from './index.ts';

let dir: string;
let path: string;
const opened: SessionStore[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hermes-sqlite-'));
  path = join(dir, 'state.db');
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  rmSync(dir, { recursive: true, force: true });
});

async function open(): Promise<SessionStore> {
  const store = await openSqliteStore({ path, clock: systemClock, isHolderDead: (holder) => holder === 'dead' });
  opened.push(store);
  return store;
}

async function acquire(store: SessionStore, conversationId: string, holder: string): Promise<Lease> {
  const attempt = await store.acquireLease({ conversationId, holder });
  if (!attempt.acquired) throw new Error('held');
  return attempt.lease;
}

/** A turn of an owner that is about to die: `calls` are in its call row, `dispatched` of them were started. */
async function abandonedTurn(
  store: SessionStore,
  calls: readonly { id: string; effect: 'none' | 'local' }[],
  dispatched: readonly string[],
) {
  const session = await store.createSession({ source: 'cli', profile: 'default', cwd: '/', provider: 'p', model: 'm' });
  const lease = await acquire(store, session.id, 'dead');
  const admission = await store.admit({
    requestId: 'r',
    principalId: 'local',
    owner: 'dead',
    sessionId: session.id,
    text: 'go',
    intent: 'queue',
  });
  await store.beginTurn(lease, { turnId: 't', admissionId: admission.id, userRow: { role: 'user', content: 'go' } });
  if (calls.length > 0) {
    await store.beginToolRound(lease, 't', {
      row: {
        role: 'assistant',
        content: '',
        toolCalls: calls.map((call) => ({ id: call.id, name: 'tool', argumentsJson: '{}' })),
      },
      runs: calls.map((call, position) => ({ callId: call.id, name: 'tool', position, effectClass: call.effect })),
      dispatched,
    });
  }
  return { session, admission, lease };
}

test('a new owner learns of each open call what is known, runs none again, and closes the turn', async () => {
  const first = await open();
  const { session, admission } = await abandonedTurn(
    first,
    [
      { id: 'began', effect: 'local' },
      { id: 'harmless', effect: 'none' },
      { id: 'waiting', effect: 'local' },
    ],
    ['began', 'harmless'],
  );

  const second = await open();
  const report = await second.recover(await acquire(second, session.id, 'next'));
  expect(report).toMatchObject({
    interrupted: ['t'],
    requeued: [],
    completed: [],
    unknownCalls: [{ callId: 'began', name: 'tool' }],
  });
  const rows = await second.activeRows(session.id);
  expect(rows.filter((row) => row.role === 'tool').map((row) => [row.toolCallId, row.effect])).toEqual([
    ['began', 'unknown'],
    ['harmless', 'none'],
    ['waiting', 'none'],
  ]);
  expect(rows.at(-1)).toMatchObject({ role: 'assistant', displayKind: 'failed_turn' });
  expect(await second.admission(admission.id)).toMatchObject({ status: 'terminal', outcome: 'interrupted' });
  expect(await second.recover({ conversationId: session.id, holder: 'next', fence: 2 })).toMatchObject({
    interrupted: [],
  });
});

test('input whose turn had begun nothing is queued again once, on the same user row', async () => {
  const store = await open();
  const { session, admission } = await abandonedTurn(store, [], []);
  let lease = await acquire(store, session.id, 'dead');
  expect(await store.recover(lease)).toMatchObject({ requeued: [admission.id] });
  expect(await store.admission(admission.id)).toMatchObject({ status: 'queued', attempt: 1 });
  const row = await store.beginTurn(lease, {
    turnId: 't2',
    admissionId: admission.id,
    userRow: { role: 'user', content: 'go' },
  });
  expect(await store.activeRows(session.id)).toEqual([row]);

  lease = await acquire(store, session.id, 'again');
  expect(await store.recover(lease)).toMatchObject({ requeued: [], interrupted: ['t2'] });
  expect(await store.admission(admission.id)).toMatchObject({ status: 'terminal', outcome: 'interrupted' });
});

test('a turn that had answered is completed, not repeated', async () => {
  const store = await open();
  const { session, admission, lease } = await abandonedTurn(store, [{ id: 'c', effect: 'local' }], ['c']);
  await store.finishToolRuns(lease, 't', [
    {
      callId: 'c',
      status: 'finished',
      effect: 'done',
      row: { role: 'tool', content: '{}', toolCallId: 'c', toolName: 'tool' },
    },
  ]);
  await store.append(lease, 't', [{ role: 'assistant', content: 'done', finishReason: 'stop' }]);
  expect(await store.recover(await acquire(store, session.id, 'next'))).toMatchObject({
    completed: ['t'],
    interrupted: [],
  });
  expect(await store.admission(admission.id)).toMatchObject({ status: 'terminal', outcome: 'completed' });
});

test('two connections write at the same time without losing or doubling a row', async () => {
  const [a, b] = [await open(), await open()];
  const sessions = await Promise.all(
    [a, b, a, b].map((store) =>
      store.createSession({ source: 'cli', profile: 'default', cwd: '/', provider: 'p', model: 'm' }),
    ),
  );
  await Promise.all(
    sessions.map(async (session, index) => {
      const store = index % 2 === 0 ? a : b;
      const lease = await acquire(store, session.id, `owner-${index}`);
      const admission = await store.admit({
        requestId: 'r',
        principalId: 'local',
        owner: 'dead',
        sessionId: session.id,
        text: 'go',
        intent: 'queue',
      });
      await store.beginTurn(lease, {
        turnId: `t${index}`,
        admissionId: admission.id,
        userRow: { role: 'user', content: '0' },
      });
      for (let n = 1; n < 25; n++) await store.append(lease, `t${index}`, [{ role: 'assistant', content: String(n) }]);
    }),
  );
  for (const session of sessions) {
    const rows = await b.activeRows(session.id);
    expect(rows.map((row) => row.content)).toEqual(Array.from({ length: 25 }, (_, n) => String(n)));
  }
});

test('the database is readable by its owner only', async () => {
  await open();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a database written by a newer version is refused and left alone', async () => {
  await (await open()).close();
  opened.pop();
  const raw = new Sqlite(path);
  raw.pragma('user_version = 999');
  raw.close();
  await expect(open()).rejects.toMatchObject({ code: 'newer_schema' });
});

test('a damaged file and a directory in its place are told apart', async () => {
  writeFileSync(path, 'this is not a database, whatever its name says. '.repeat(100));
  await expect(open()).rejects.toMatchObject({ code: 'db_corrupt' });
  path = dir;
  await expect(open()).rejects.toMatchObject({ code: 'permission_denied' });
});

test('a disk without room refuses the write with a clear reason and keeps what was there', async () => {
  const store = await open();
  const { session } = await abandonedTurn(store, [], []);
  // A file size limit of the process stands for the end of the disk: every write beyond it fails in the operating system.
  const script = `
    import { systemClock } from '@hermes/runtime';
    import { openSqliteStore } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
    const store = await openSqliteStore({ path: ${JSON.stringify(path)}, clock: systemClock, isHolderDead: () => true });
    const { lease } = await store.acquireLease({ conversationId: ${JSON.stringify(session.id)}, holder: 'x' });
    const code = await store.append(lease, 't', [{ role: 'assistant', content: 'x'.repeat(4_000_000) }]).catch((error) => error.code);
    console.log(code);
  `;
  const { stdout } = await promisify(execFile)(
    '/bin/sh',
    ['-c', `trap '' XFSZ; ulimit -f 2048; exec "$0" --input-type=module -e "$1"`, process.execPath, script],
    { cwd: import.meta.dirname },
  );
  expect(stdout.trim()).toBe('disk_full');
  expect(await store.activeRows(session.id)).toHaveLength(1);
});

test('waiting input is taken over from a dead process only, or after the life of a lease', async () => {
  const store = await open();
  const session = await store.createSession({
    source: 'cli',
    profile: 'default',
    cwd: '/',
    provider: 'p',
    model: 'm',
  });
  const admit = (text: string, owner: string) =>
    store.admit({ requestId: text, principalId: 'local', owner, sessionId: session.id, text, intent: 'queue' });
  const orphan = await admit('of a dead process', 'dead');
  await admit('of a process that is about to run it', 'alive');
  const mine = await acquire(store, session.id, 'mine');
  expect((await store.adoptOrphans(mine)).map(({ id, owner }) => [id, owner])).toEqual([[orphan.id, 'mine']]);
  expect(await store.adoptOrphans(mine)).toHaveLength(1);
  const later = await openSqliteStore({
    path,
    clock: { ...systemClock, now: () => Date.now() + 2 * LEASE_TTL_MS },
    isHolderDead: () => false,
  });
  opened.push(later);
  expect(await later.adoptOrphans(mine)).toHaveLength(2);
});
