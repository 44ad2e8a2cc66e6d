import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '@hermes/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryStore } from '../memory/index.ts';
import { openSqliteStore } from '../sqlite/index.ts';
import { type Lease, LEASE_TTL_MS } from './lease.ts';
import type { SessionStore } from './session-store.ts';
import { StoreError } from './store-error.ts';

/** A clock that moves only when told. */
function heldClock(start = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): void } {
  let now = start;
  return {
    ...systemClock,
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}

const engines = {
  memory: async (clock: Clock) => createMemoryStore({ clock }),
  sqlite: async (clock: Clock, dir: string) =>
    openSqliteStore({ path: join(dir, 'state.db'), clock, isHolderDead: (holder) => holder.startsWith('dead') }),
};

describe.each(Object.entries(engines))('a session store on %s', (_name, open) => {
  let dir: string;
  let clock: ReturnType<typeof heldClock>;
  let store: SessionStore;

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'hermes-store-'));
    clock = heldClock();
    store = await open(clock, dir);
  });
  afterEach(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const newSession = (source = 'cli') =>
    store.createSession({ source, profile: 'default', cwd: '/home/ada', provider: 'bench', model: 'm' });
  const admit = (sessionId: string, text: string, requestId = text) =>
    store.admit({ requestId, principalId: 'local', owner: 'me', sessionId, text, intent: 'queue' });
  const lease = async (conversationId: string, holder = 'me'): Promise<Lease> => {
    const attempt = await store.acquireLease({ conversationId, holder });
    if (!attempt.acquired) throw new Error(`held by ${attempt.heldBy}`);
    return attempt.lease;
  };
  const begin = async (text = 'hello', turnId = 'turn-1') => {
    const session = await newSession();
    const owned = await lease(session.id);
    const admission = await admit(session.id, text);
    const userRow = await store.beginTurn(owned, {
      turnId,
      admissionId: admission.id,
      userRow: { role: 'user', content: text },
    });
    return { session, lease: owned, admission, userRow, turnId };
  };

  test('keeps every row of a turn once and in order', async () => {
    const turn = await begin('list the files');
    await store.beginToolRound(turn.lease, turn.turnId, {
      row: {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c1', name: 'terminal', argumentsJson: '{"command":"ls"}' }],
      },
      runs: [{ callId: 'c1', name: 'terminal', position: 0, effectClass: 'local' }],
      dispatched: ['c1'],
      call: {
        requests: 1,
        provider: 'bench',
        model: 'm',
        baseUrl: '',
        usage: { input: 10, output: 2, cacheRead: 5, cacheWrite: 0, reasoning: 0 },
      },
    });
    await store.finishToolRuns(turn.lease, turn.turnId, [
      {
        callId: 'c1',
        status: 'finished',
        effect: 'done',
        row: { role: 'tool', content: '{}', toolCallId: 'c1', toolName: 'terminal' },
      },
    ]);
    await store.endTurn(turn.lease, turn.turnId, {
      endReason: 'text_response(stop)',
      admissionOutcome: 'completed',
      apiCalls: 2,
      rows: [{ role: 'assistant', content: 'done', finishReason: 'stop' }],
    });

    const rows = await store.activeRows(turn.session.id);
    expect(rows.map((row) => [row.role, row.content])).toEqual([
      ['user', 'list the files'],
      ['assistant', ''],
      ['tool', '{}'],
      ['assistant', 'done'],
    ]);
    expect(rows[1]?.toolCalls).toEqual([{ id: 'c1', name: 'terminal', argumentsJson: '{"command":"ls"}' }]);
    expect(rows.map((row) => row.id)).toEqual(rows.map((row) => row.id).toSorted((a, b) => a - b));
    const session = await store.session(turn.session.id);
    expect(session).toMatchObject({
      messageCount: 4,
      toolCallCount: 1,
      apiCallCount: 1,
      usage: { input: 10, output: 2, cacheRead: 5 },
    });
    expect(await store.admission(turn.admission.id)).toMatchObject({ status: 'terminal', outcome: 'completed' });
    expect(await store.openAdmissions(turn.session.id)).toEqual([]);
  });

  test('answers a repeated request with the first admission and refuses its id for another text', async () => {
    const session = await newSession();
    const first = await admit(session.id, 'hi', 'request-1');
    expect(await admit(session.id, 'hi', 'request-1')).toEqual(first);
    await expect(admit(session.id, 'other', 'request-1')).rejects.toMatchObject({ code: 'admission_conflict' });
    expect(await store.openAdmissions(session.id)).toHaveLength(1);
  });

  test('keeps waiting input in the order it came and ends a cancelled one', async () => {
    const turn = await begin();
    const second = await admit(turn.session.id, 'second');
    const third = await admit(turn.session.id, 'third');
    expect((await store.openAdmissions(turn.session.id)).map((open) => open.text)).toEqual([
      'hello',
      'second',
      'third',
    ]);
    expect(await store.cancelAdmission(second.id)).toBe(true);
    expect(await store.cancelAdmission(second.id)).toBe(false);
    expect((await store.openAdmissions(turn.session.id)).map((open) => open.id)).toEqual([turn.admission.id, third.id]);
  });

  test('lets one owner at a time hold a conversation, and the next only after release or expiry', async () => {
    const session = await newSession();
    const first = await lease(session.id, 'first');
    expect(await store.acquireLease({ conversationId: session.id, holder: 'second' })).toMatchObject({
      acquired: false,
    });
    await store.releaseLease(first);
    const second = await lease(session.id, 'second');
    expect(second.fence).toBe(first.fence + 1);
    clock.advance(LEASE_TTL_MS + 1);
    const third = await lease(session.id, 'third');
    expect(third.fence).toBe(second.fence + 1);
    expect(await store.refreshLease(second)).toBe(false);
    expect(await store.refreshLease(third)).toBe(true);
  });

  test('refuses every write of an owner whose lease was taken over, and writes nothing', async () => {
    const turn = await begin();
    clock.advance(LEASE_TTL_MS + 1);
    await lease(turn.session.id, 'thief');
    const late = [
      () => store.append(turn.lease, turn.turnId, [{ role: 'assistant', content: 'late' }]),
      () => store.finishToolRuns(turn.lease, turn.turnId, []),
      () =>
        store.recordUsage(turn.lease, turn.turnId, {
          requests: 1,
          provider: 'p',
          model: 'm',
          baseUrl: '',
          usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
        }),
      () =>
        store.endTurn(turn.lease, turn.turnId, {
          endReason: 'x',
          admissionOutcome: 'completed',
          apiCalls: 1,
          rows: [],
        }),
    ];
    for (const write of late) await expect(write()).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await store.activeRows(turn.session.id)).toHaveLength(1);
    expect((await store.session(turn.session.id))?.apiCallCount).toBe(0);
  });

  test('renews an expired lease that nobody took', async () => {
    const turn = await begin();
    clock.advance(LEASE_TTL_MS + 1);
    await store.append(turn.lease, turn.turnId, [{ role: 'assistant', content: 'still here' }]);
    expect(await store.acquireLease({ conversationId: turn.session.id, holder: 'other' })).toMatchObject({
      acquired: false,
    });
  });

  test('gives a steered text its own row and ends its admission in the same step', async () => {
    const turn = await begin();
    const steer = await admit(turn.session.id, 'use pnpm');
    await store.appendSteer(turn.lease, turn.turnId, steer.id, { role: 'user', content: 'use pnpm' });
    expect(await store.admission(steer.id)).toMatchObject({ status: 'terminal', outcome: 'steered' });
    expect((await store.activeRows(turn.session.id)).at(-1)).toMatchObject({ role: 'user', content: 'use pnpm' });
    await expect(
      store.appendSteer(turn.lease, turn.turnId, steer.id, { role: 'user', content: 'use pnpm' }),
    ).rejects.toBeInstanceOf(StoreError);
    expect(await store.activeRows(turn.session.id)).toHaveLength(2);
  });

  test('stores a prompt once and binds it with the tools of the session', async () => {
    const turn = await begin();
    const prompt = { hash: 'abc', text: 'You are Hermes. 你好', stableBytes: 10, contextBytes: 4 };
    await store.bindPrompt(turn.lease, turn.session.id, prompt, { names: ['read_file', 'terminal'], schemaHash: 'ff' });
    expect(await store.prompt('abc')).toEqual(prompt);
    expect(await store.prompt('other')).toBeUndefined();
    expect(await store.session(turn.session.id)).toMatchObject({
      promptHash: 'abc',
      toolPin: { names: ['read_file', 'terminal'], schemaHash: 'ff' },
    });
  });

  test('shows people and the model each what is meant for them', async () => {
    const turn = await begin();
    await store.append(turn.lease, turn.turnId, [
      { role: 'user', content: 'nudge', displayKind: 'hidden' },
      { role: 'assistant', content: 'half an ans', displayKind: 'interrupted_partial' },
    ]);
    expect((await store.activeRows(turn.session.id)).map((row) => row.content)).toEqual(['hello', 'nudge']);
    const seen = await store.visibleRows(turn.session.id, { limit: 10 });
    expect(seen.map((row) => row.content)).toEqual(['hello', 'half an ans']);
    expect(await store.visibleRows(turn.session.id, { limit: 10, beforeId: seen[1]?.id ?? 0 })).toEqual([seen[0]]);
  });

  test('finds sessions by activity, prefix and title, and leaves one-shot and empty ones out of lists', async () => {
    const spokenIn = async (source: string) => {
      const session = await newSession(source);
      const admission = await admit(session.id, 'hello');
      await store.beginTurn(await lease(session.id), {
        turnId: `turn of ${session.id}`,
        admissionId: admission.id,
        userRow: { role: 'user', content: 'hello' },
      });
      clock.advance(1000);
      return session;
    };
    const first = await spokenIn('cli');
    const second = await spokenIn('oneshot');
    const third = await spokenIn('tui');
    await newSession('tui');
    const ids = async (includeHidden: boolean) =>
      (await store.listSessions({ limit: 10, includeHidden })).map((session) => session.id);
    expect(await ids(true)).toEqual([third.id, second.id, first.id]);
    expect(await ids(false)).toEqual([third.id, first.id]);
    expect((await store.sessionsByPrefix(first.id.slice(0, 15), 5)).map((session) => session.id)).toEqual([first.id]);
    expect(await store.proposeTitle(first.id, 'Fix the build')).toBe('Fix the build');
    expect(await store.proposeTitle(third.id, 'Fix the build')).toBe('Fix the build #2');
    expect(await store.proposeTitle(third.id, 'Something else')).toBe('Fix the build #2');
    expect((await store.sessionByTitle('Fix the build'))?.id).toBe(third.id);
    expect(await store.sessionByTitle('Fix')).toBeUndefined();
  });

  test('stores text that no database and no provider accepts in a form that both do', async () => {
    const turn = await begin('a\0b \ud800 c');
    expect((await store.activeRows(turn.session.id))[0]?.content).toBe('a\uFFFDb \uFFFD c');
  });

  test('refuses to add to a turn that has ended', async () => {
    const turn = await begin();
    await store.endTurn(turn.lease, turn.turnId, { endReason: 'x', admissionOutcome: 'failed', apiCalls: 0, rows: [] });
    await expect(store.append(turn.lease, turn.turnId, [{ role: 'assistant', content: 'x' }])).rejects.toMatchObject({
      code: 'invalid_params',
    });
  });
});
