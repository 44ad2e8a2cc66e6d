import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelRequest, ProviderError } from '@hermes/providers';
import { AbortReason, systemClock } from '@hermes/runtime';
import type { SessionStore } from '@hermes/session-db';
import { createMemoryStore } from '@hermes/session-db/memory';
import { openSqliteStore } from '@hermes/session-db/sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { createEngine, type Engine, type EngineTool, type TurnEvent, type TurnResult } from '../index.ts';
import { FakeClock, type Script, ScriptedModel } from '../testing/index.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Remembers what it was asked to do; that is its effect. */
function recorder(): { readonly done: string[]; readonly tool: EngineTool } {
  const done: string[] = [];
  return {
    done,
    tool: {
      name: 'record',
      description: 'Remembers a word.',
      parameters: {
        type: 'object',
        properties: { word: { type: 'string' } },
        required: ['word'],
        additionalProperties: false,
      },
      effect: 'local',
      handler: async ({ word }) => {
        if (typeof word === 'string') done.push(word);
        return { recorded: word ?? null };
      },
    },
  };
}

function engineFor(
  script: Script,
  options: { tools?: EngineTool[]; store?: SessionStore; clock?: FakeClock; surface?: string } = {},
) {
  const model = new ScriptedModel(script);
  const engine = createEngine({ model, random: () => 0, cwd: tmpdir(), ...options });
  cleanups.push(() => engine.close());
  return { engine, model };
}

async function run(
  engine: Engine,
  text = 'go',
  limit = 20,
  clock?: FakeClock,
): Promise<{ events: TurnEvent[]; result: TurnResult; sessionId: string }> {
  const session = await engine.openSession();
  const turn = session.run(text, { limit });
  const events: TurnEvent[] = [];
  for await (const event of turn.events) {
    events.push(event);
    if (clock && (event.type === 'retry.scheduled' || event.type === 'recovery.step')) {
      const wait = event.type === 'retry.scheduled' ? event.waitMs : 60_000;
      setImmediate(() => clock.advance(wait));
    }
  }
  return { events, result: await turn.result, sessionId: session.id };
}

const call = (word: string, id?: string) => ({ calls: [{ name: 'record', args: { word }, ...(id ? { id } : {}) }] });

/** The part of a request that is shown to the model, as bytes. */
const prefixOf = (request: ModelRequest) =>
  JSON.stringify([request.system, request.tools, request.messages]).slice(0, -2);

describe('a turn', () => {
  test('calls tools until the model answers, and every request repeats the one before byte for byte', async () => {
    const { tool, done } = recorder();
    const { engine, model } = engineFor([call('a'), call('b'), { text: 'all done' }], { tools: [tool] });
    const { result, events } = await run(engine);
    expect(result).toMatchObject({
      outcome: 'completed',
      endReason: { code: 'text_response', detail: 'stop' },
      finalText: 'all done',
      apiCalls: 3,
      toolCalls: 2,
      usage: { input: 30, output: 15 },
    });
    expect(done).toEqual(['a', 'b']);
    model.requests.slice(1).forEach((request, index) => {
      const before = model.requests[index];
      expect(before && prefixOf(request).startsWith(prefixOf(before))).toBe(true);
    });
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter((event) => event.type === 'turn.ended')).toHaveLength(1);
    expect(events.at(-1)?.type).toBe('turn.ended');
  });

  test('tells the model what is wrong with a bad call and runs the good ones beside it, results in call order', async () => {
    const { tool, done } = recorder();
    const script: Script = [
      {
        calls: [
          { name: 'no_such_tool', args: {} },
          { name: 'Record', args: { word: 'ok' } },
          { name: 'record', args: { wrong: 1 } },
        ],
      },
      { text: 'fine' },
    ];
    const { engine, model } = engineFor(script, { tools: [tool] });
    await run(engine);
    expect(done).toEqual(['ok']);
    const results = model.requests[1]?.messages.filter((message) => message.role === 'tool') ?? [];
    expect(results.map((message) => message.content)).toEqual([
      expect.stringContaining('no tool named'),
      '{"recorded":"ok"}',
      expect.stringContaining("must have required property 'word'"),
    ]);
  });

  test('gives calls that share an id ids of their own, so that no result is lost', async () => {
    const { tool } = recorder();
    const { engine, model } = engineFor([call('a', 'same'), call('b', 'same'), { text: 'x' }], { tools: [tool] });
    await run(engine);
    const ids = model.requests[2]?.messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : []));
    expect(ids).toEqual(['same', 'same_2']);
  });

  test('runs calls that only read at the same time', async () => {
    let active = 0;
    let most = 0;
    const both = Promise.withResolvers<void>();
    const reader: EngineTool = {
      name: 'peek',
      description: 'x',
      parameters: { type: 'object', properties: {} },
      parallel: 'safe',
      effect: 'none',
      handler: async () => {
        most = Math.max(most, ++active);
        if (active === 2) both.resolve();
        await both.promise;
        active--;
        return {};
      },
    };
    const { engine } = engineFor(
      [
        {
          calls: [
            { name: 'peek', args: {} },
            { name: 'peek', args: {} },
          ],
        },
      ],
      { tools: [reader] },
    );
    await run(engine);
    expect(most).toBe(2);
  });

  test('check 5: when the call row cannot be written, no tool runs', async () => {
    const { tool, done } = recorder();
    const store = createMemoryStore({ clock: systemClock });
    const failing = new Proxy(store, {
      get: (target, name) => {
        if (name === 'beginToolRound') return () => Promise.reject(new Error('disk gone'));
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const { engine } = engineFor([call('a')], { tools: [tool], store: failing });
    const { result } = await run(engine);
    expect(done).toEqual([]);
    expect(result.outcome).toBe('failed');
  });

  test('check 6: at the limit there is one more call that forbids tools, and its text is the answer', async () => {
    const { tool } = recorder();
    const script: Script = (request) => (request.toolChoice === 'none' ? { text: 'so far' } : call('again'));
    const { engine, model } = engineFor(script, { tools: [tool] });
    const { result } = await run(engine, 'go', 3);
    expect(result).toMatchObject({
      outcome: 'incomplete',
      endReason: { code: 'max_iterations', detail: '3/3' },
      finalText: 'so far',
    });
    expect(model.requests.map((request) => request.toolChoice)).toEqual(['auto', 'auto', 'auto', 'none']);
    expect(model.requests[3]?.tools).toEqual(model.requests[0]?.tools);
  });

  test('at the limit a model that still calls tools gets no answer for it: a local summary is given', async () => {
    const { tool, done } = recorder();
    const { engine } = engineFor(() => call('again'), { tools: [tool] });
    const { result } = await run(engine, 'go', 2);
    expect(done).toHaveLength(2);
    expect(result.finalText).toContain('The last tools used were: record, record');
  });

  test('check 10: arguments cut in the middle of a string are never run', async () => {
    const { tool, done } = recorder();
    const { engine, model } = engineFor(
      () => ({ rawCall: { name: 'record', argumentsJson: '{"word": "half' }, finish: 'length' }),
      { tools: [tool] },
    );
    const { result } = await run(engine);
    expect(done).toEqual([]);
    expect(result.endReason.code).toBe('tool_call_truncated');
    expect(model.requests).toHaveLength(5);
    expect(model.requests[4]?.maxOutputTokens).toBe(32_768);
  });

  test('broken arguments are asked for again silently, then the model is told, then the turn ends', async () => {
    const { tool, done } = recorder();
    const { engine, model } = engineFor(() => ({ rawCall: { name: 'record', argumentsJson: '[1, 2]' } }), {
      tools: [tool],
    });
    const { result } = await run(engine);
    expect(done).toEqual([]);
    expect(result.endReason.code).toBe('malformed_tool_call');
    expect(model.requests).toHaveLength(9);
    expect(new Set(model.requests.slice(0, 3).map(prefixOf)).size).toBe(1);
  });

  test('three rounds of calls to tools that do not exist end the turn', async () => {
    const { engine, model } = engineFor(() => ({ calls: [{ name: 'nope', args: {} }] }));
    const { result } = await run(engine);
    expect(result.endReason.code).toBe('invalid_tool_name');
    expect(model.requests).toHaveLength(3);
  });

  test('an empty answer after tools gets a nudge; the turn goes on and keeps its prefix', async () => {
    const { tool } = recorder();
    const { engine, model } = engineFor([call('a'), {}, { text: 'here it is' }], { tools: [tool] });
    const { result, sessionId } = await run(engine);
    expect(result.finalText).toBe('here it is');
    const [, second, third] = model.requests;
    expect(second && third && prefixOf(third).startsWith(prefixOf(second))).toBe(true);
    const shown = await engine.store.visibleRows(sessionId, { limit: 20 });
    expect(shown.map((row) => row.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  test('empty answers without end are given up with a reason', async () => {
    const clock = new FakeClock();
    const { engine, model } = engineFor(() => ({}), { clock });
    const { result } = await run(engine, 'go', 20, clock);
    expect(result.endReason.code).toBe('empty_response_exhausted');
    expect(result.explanation).not.toBe('');
    expect(model.requests).toHaveLength(4);
  });

  test('check 13: two empty answers with no output at all stop the retries early', async () => {
    const clock = new FakeClock();
    const { engine, model } = engineFor(() => ({ usage: { output: 0 } }), { clock });
    expect((await run(engine, 'go', 20, clock)).result.endReason.code).toBe('empty_response_exhausted');
    expect(model.requests).toHaveLength(2);
  });

  test('an answer that was cut off is continued and given whole', async () => {
    const { engine, sessionText } = withSessionText(
      engineFor([{ text: 'one ', finish: 'length' }, { text: 'two' }]).engine,
    );
    const { result, sessionId } = await run(engine);
    expect(result).toMatchObject({ outcome: 'completed', finalText: 'one two' });
    expect(await sessionText(sessionId)).toEqual(['go', 'one ', 'two']);
  });

  test('a failure that may pass is tried again after the wait the server asked for', async () => {
    const clock = new FakeClock();
    const busy = new ProviderError('rate_limit', 'slow down', { retryable: true, retryAfterMs: 171_000 });
    const down = new ProviderError('server_error', 'oops', { retryable: true });
    const { engine, model } = engineFor([{ error: busy }, { error: down }, { text: 'ok' }], { clock });
    const { result } = await run(engine, 'go', 20, clock);
    expect(result).toMatchObject({ outcome: 'completed', finalText: 'ok', apiCalls: 3 });
    expect(clock.slept.filter((ms) => ms !== 60_000)).toEqual([171_000, 4000]);
    expect(result.budget.used).toBe(1);
    expect(model.requests.map(prefixOf)).toEqual([0, 1, 2].map(() => prefixOf(model.requests[0] as ModelRequest)));
  });

  test('check 23: an interrupt ends a long wait at once', async () => {
    const clock = new FakeClock();
    const busy = new ProviderError('rate_limit', 'slow down', { retryable: true, retryAfterMs: 171_000 });
    const { engine } = engineFor([{ error: busy }], { clock });
    const session = await engine.openSession();
    const turn = session.run('go', { limit: 5 });
    for await (const event of turn.events) if (event.type === 'retry.scheduled') setImmediate(() => turn.interrupt());
    expect((await turn.result).outcome).toBe('interrupted');
    expect(clock.monotonic()).toBe(0);
  });

  test('a failure that will not pass ends the turn with its name and what the provider said', async () => {
    const denied = new ProviderError('auth', 'The key was refused by api.example.com.', {
      retryable: false,
      status: 401,
    });
    const { engine, model } = engineFor([{ error: denied }]);
    const { result, sessionId } = await run(engine);
    expect(result).toMatchObject({
      outcome: 'failed',
      endReason: { code: 'provider_terminal', detail: 'auth' },
      failure: { reason: 'auth', retryable: false },
    });
    expect(result.explanation).toContain('The key was refused');
    expect(model.requests).toHaveLength(1);
    expect((await engine.store.activeRows(sessionId)).map((row) => row.displayKind)).toEqual([
      undefined,
      'failed_turn',
    ]);
  });

  test('check 14: a stream that dies after visible text keeps that text as the answer, explained and stored once', async () => {
    const cut = new ProviderError('stream_interrupted', 'The connection broke.', { retryable: true });
    const { engine } = engineFor([{ text: 'x'.repeat(200), error: cut }]);
    const { result, sessionId } = await run(engine);
    expect(result).toMatchObject({
      outcome: 'incomplete',
      endReason: { code: 'partial_stream_recovery' },
      finalText: 'x'.repeat(200),
    });
    expect(result.explanation).toContain('connection broke');
    expect((await engine.store.activeRows(sessionId)).filter((row) => row.role === 'assistant')).toHaveLength(1);
  });

  test('a stream that dies after a few words takes them back and is asked for again', async () => {
    const clock = new FakeClock();
    const cut = new ProviderError('stream_interrupted', 'The connection broke.', { retryable: true });
    const { engine } = engineFor([{ text: 'An answ', error: cut }, { text: 'An answer.' }], { clock });
    const { result, events } = await run(engine, 'go', 5, clock);
    expect(result).toMatchObject({ outcome: 'completed', finalText: 'An answer.' });
    expect(events.filter((event) => event.type === 'text.retracted')).toHaveLength(1);
  });

  test('a stream that dies before any text is silently asked for again', async () => {
    const clock = new FakeClock();
    const cut = new ProviderError('stream_interrupted', 'The connection broke.', { retryable: true });
    const { engine } = engineFor([{ error: cut }, { text: 'whole' }], { clock });
    expect((await run(engine, 'go', 5, clock)).result.finalText).toBe('whole');
  });

  test('a tool that throws, returns nothing or ignores its abort still gives the model a result', async () => {
    const tools: EngineTool[] = [
      {
        name: 'throws',
        description: '',
        parameters: { type: 'object' },
        handler: () => Promise.reject(new Error('boom')),
      },
      {
        name: 'nothing',
        description: '',
        parameters: { type: 'object' },
        handler: (async () => undefined) as unknown as EngineTool['handler'],
      },
    ];
    const { engine, model } = engineFor(
      [
        {
          calls: [
            { name: 'throws', args: {} },
            { name: 'nothing', args: {} },
          ],
        },
      ],
      { tools },
    );
    const { result } = await run(engine);
    expect(result.outcome).toBe('completed');
    const results = model.requests[1]?.messages
      .filter((message) => message.role === 'tool')
      .map((message) => message.content);
    expect(results).toEqual([
      expect.stringContaining('[TOOL_ERROR] throws failed: boom'),
      expect.stringContaining('tool_result_contract'),
    ]);
  });
});

describe('an interrupt', () => {
  test('check 26: what was shown of an abandoned answer stays visible and never reaches the model again', async () => {
    const { engine, model } = engineFor([
      { text: 'I was going to say', until: new Promise(() => undefined) },
      { text: 'second answer' },
    ]);
    const session = await engine.openSession();
    const turn = session.run('first', { limit: 5 });
    let seen = '';
    for await (const event of turn.events) {
      if (event.type === 'text.delta') seen += event.text;
      if (seen.endsWith('say')) turn.interrupt();
    }
    expect(await turn.result).toMatchObject({ outcome: 'interrupted', endReason: { code: 'interrupted_during_call' } });
    expect((await session.run('second', { limit: 5 }).result).finalText).toBe('second answer');
    expect((await engine.store.visibleRows(session.id, { limit: 10 })).map((row) => row.content)).toContain(
      'I was going to say',
    );
    const [first, second] = model.requests;
    expect(JSON.stringify(second)).not.toContain('going to say');
    expect(first && second && prefixOf(second).startsWith(prefixOf(first))).toBe(true);
    expect(second?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
  });

  test('between two calls of a round the rest is skipped, and every call has its result', async () => {
    const { tool, done } = recorder();
    const stopper: EngineTool = {
      name: 'stop',
      description: '',
      parameters: { type: 'object' },
      handler: async () => {
        turn.interrupt();
        return {};
      },
    };
    const script: Script = [
      {
        calls: [
          { name: 'stop', args: {} },
          { name: 'record', args: { word: 'late' } },
        ],
      },
    ];
    const { engine, model } = engineFor(script, { tools: [tool, stopper] });
    const session = await engine.openSession();
    const turn = session.run('go', { limit: 5 });
    expect((await turn.result).endReason).toEqual({ code: 'interrupted_by_user' });
    expect(done).toEqual([]);
    await session.run('and now', { limit: 5 }).result;
    const results = model.requests[1]?.messages
      .filter((message) => message.role === 'tool')
      .map((message) => message.content);
    expect(results).toEqual(['{}', expect.stringContaining('Skipped, not started')]);
  });

  test('a tool that ignores its abort is left behind after two seconds and its effect is called unknown', async () => {
    const clock = new FakeClock();
    const started = Promise.withResolvers<void>();
    const deaf: EngineTool = {
      name: 'deaf',
      description: '',
      parameters: { type: 'object' },
      handler: () => {
        started.resolve();
        return new Promise<never>(() => undefined);
      },
    };
    const { engine } = engineFor([{ calls: [{ name: 'deaf', args: {} }] }], { tools: [deaf], clock });
    const session = await engine.openSession();
    const turn = session.run('go', { limit: 5 });
    await started.promise;
    turn.interrupt(new AbortReason('user_stop', 'test'));
    await Promise.resolve();
    setImmediate(() => clock.advance(2000));
    expect((await turn.result).outcome).toBe('interrupted');
    expect((await engine.store.activeRows(session.id)).find((row) => row.role === 'tool')?.effect).toBe('unknown');
  });

  test('before its turn began, an input is cancelled and nothing of it is written', async () => {
    const gate = Promise.withResolvers<void>();
    const { engine } = engineFor([{ text: 'one', until: gate.promise }]);
    const session = await engine.openSession();
    const first = session.run('first', { limit: 5 });
    const second = session.run('second', { limit: 5 });
    second.interrupt();
    gate.resolve();
    await first.result;
    expect((await second.result).endReason.code).toBe('interrupted_before_start');
    expect((await engine.store.activeRows(session.id)).map((row) => row.content)).toEqual(['first', 'one']);
  });
});

describe('inputs while a turn runs', () => {
  test('check 25: queued inputs run one after the other, in order, none lost', async () => {
    const gate = Promise.withResolvers<void>();
    const { engine } = engineFor((_, index) =>
      index === 0 ? { text: '0', until: gate.promise } : { text: String(index) },
    );
    const session = await engine.openSession();
    const runs = ['a', 'b', 'c', 'd', 'e'].map((text) => session.run(text, { limit: 5 }));
    gate.resolve();
    const results = await Promise.all(runs.map((one) => one.result));
    expect(results.map((result) => result.finalText)).toEqual(['0', '1', '2', '3', '4']);
    expect((await engine.store.activeRows(session.id)).map((row) => row.content)).toEqual([
      'a',
      '0',
      'b',
      '1',
      'c',
      '2',
      'd',
      '3',
      'e',
      '4',
    ]);
  });

  test('a steered text is a user row of its own behind the newest tool result', async () => {
    const entered = Promise.withResolvers<void>();
    const leave = Promise.withResolvers<void>();
    const slow: EngineTool = {
      name: 'slow',
      description: '',
      parameters: { type: 'object' },
      handler: async () => {
        entered.resolve();
        await leave.promise;
        return {};
      },
    };
    const { engine, model } = engineFor([{ calls: [{ name: 'slow', args: {} }] }, { text: 'ok' }], { tools: [slow] });
    const session = await engine.openSession();
    const turn = session.run('go', { limit: 5 });
    await entered.promise;
    expect(await turn.steer('use pnpm')).toBe('accepted');
    leave.resolve();
    await turn.result;
    expect(model.requests[1]?.messages.map((message) => [message.role, message.content])).toEqual([
      ['user', 'go'],
      ['assistant', ''],
      ['tool', '{}'],
      ['user', 'use pnpm'],
    ]);
    expect(await engine.store.openAdmissions(session.id)).toEqual([]);
  });

  test('a text steered too late for the turn becomes the next one', async () => {
    const gate = Promise.withResolvers<void>();
    const { engine } = engineFor((_, index) =>
      index === 0 ? { text: 'first', until: gate.promise } : { text: 'second' },
    );
    const session = await engine.openSession();
    const turn = session.run('go', { limit: 5 });
    for await (const event of turn.events) {
      if (event.type === 'text.delta') {
        expect(await turn.steer('late')).toBe('accepted');
        gate.resolve();
      }
    }
    const ended = Promise.withResolvers<TurnEvent>();
    session.onEvent((event) => event.type === 'turn.ended' && ended.resolve(event));
    await ended.promise;
    expect((await engine.store.activeRows(session.id)).map((row) => row.content)).toEqual([
      'go',
      'first',
      'late',
      'second',
    ]);
  });

  test('an input without text, or without a sensible limit, is refused at once', async () => {
    const { engine } = engineFor([]);
    const session = await engine.openSession();
    expect(() => session.run('  ', { limit: 5 })).toThrow(RangeError);
    expect(() => session.run('go', { limit: 0 })).toThrow(RangeError);
    expect(() => session.run('go', { limit: 1.5 })).toThrow(RangeError);
  });
});

describe('two engines on one database', () => {
  async function openStore(path: string) {
    return openSqliteStore({ path, clock: systemClock, isHolderDead: (holder) => holder.includes('dead') });
  }
  function tempDb(): string {
    const dir = mkdtempSync(join(tmpdir(), 'hermes-engine-'));
    cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
    return join(dir, 'state.db');
  }

  test('check 1: the second waits for the lease, and its transcript holds the turn of the first', async () => {
    const path = tempDb();
    const gate = Promise.withResolvers<void>();
    const first = engineFor([{ text: 'first answer', until: gate.promise }], { store: await openStore(path) });
    const second = engineFor([{ text: 'second answer' }], { store: await openStore(path) });
    const sessionA = await first.engine.openSession();
    const turnA = sessionA.run('from A', { limit: 5 });
    for await (const event of turnA.events) {
      if (event.type !== 'text.delta') continue;
      const sessionB = await second.engine.openSession({ resume: sessionA.id });
      const turnB = sessionB.run('from B', { limit: 5 });
      for await (const inB of turnB.events) if (inB.type === 'turn.waiting') gate.resolve();
      expect((await turnB.result).finalText).toBe('second answer');
      break;
    }
    await turnA.result;
    expect(second.model.requests[0]?.messages.map((message) => message.content)).toEqual([
      'from A',
      'first answer',
      'from B',
    ]);
    expect(second.model.requests[0]?.system).toBe(first.model.requests[0]?.system);
  });

  test('a resumed session sends the same prefix as the process it replaces', async () => {
    const path = tempDb();
    const { tool } = recorder();
    const first = engineFor([call('a'), { text: 'x' }], { store: await openStore(path), tools: [tool] });
    const session = await first.engine.openSession();
    await session.run('one', { limit: 5 }).result;
    const second = engineFor([{ text: 'y' }], { store: await openStore(path), tools: [tool] });
    await (await second.engine.openSession({ resume: session.id })).run('two', { limit: 5 }).result;
    const [last, next] = [first.model.requests.at(-1), second.model.requests[0]];
    expect(last && next && prefixOf(next).startsWith(prefixOf(last))).toBe(true);
  });

  test('check 2: when the lease row is stolen mid-turn, nothing more is written and the turn ends as lost', async () => {
    const path = tempDb();
    const store = await openStore(path);
    const thief = await openStore(path);
    cleanups.push(() => thief.close());
    const clock = new FakeClock();
    const gate = Promise.withResolvers<void>();
    const { engine } = engineFor([{ text: 'never stored', until: gate.promise }], { store, clock, surface: 'dead' });
    const session = await engine.openSession();
    const turn = session.run('go', { limit: 5 });
    for await (const event of turn.events) {
      if (event.type !== 'text.delta') continue;
      await thief.acquireLease({ conversationId: session.id, holder: 'thief' });
      clock.advance(60_000);
    }
    expect((await turn.result).endReason.code).toBe('lease_lost');
    expect((await thief.activeRows(session.id)).map((row) => row.content)).toEqual(['go']);
  });

  test('check 4: a call that was running when its process died is unknown, told to the model, and not run again', async () => {
    const path = tempDb();
    const { tool, done } = recorder();
    const store = await openStore(path);
    // The owner dies in the middle of its round: everything up to the dispatch is on disk, nothing after it.
    const { session, lease } = await beginAndDie(store, 'go');
    await store.beginToolRound(lease, 't', {
      row: {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c1', name: 'record', argumentsJson: '{"word":"once"}' }],
      },
      runs: [{ callId: 'c1', name: 'record', position: 0, effectClass: 'local' }],
      dispatched: ['c1'],
    });

    const { engine, model } = engineFor([{ text: 'understood' }], { store, tools: [tool] });
    const turn = (await engine.openSession({ resume: session.id })).run('what happened?', { limit: 5 });
    const notices: string[] = [];
    for await (const event of turn.events) if (event.type === 'notice') notices.push(event.code);
    expect(done).toEqual([]);
    expect(notices).toEqual(['effect_unknown']);
    expect(model.requests[0]?.messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(JSON.stringify(model.requests[0]?.messages[2])).toContain('effect is unknown');
  });

  test('input whose turn had begun nothing runs first, once, before the new one', async () => {
    const path = tempDb();
    const store = await openStore(path);
    const { session } = await beginAndDie(store, 'old');

    const { engine } = engineFor((_, index) => ({ text: `answer ${index}` }), { store });
    const result = await (await engine.openSession({ resume: session.id })).run('new', { limit: 5 }).result;
    expect(result.finalText).toBe('answer 1');
    expect((await store.activeRows(session.id)).map((row) => row.content)).toEqual([
      'old',
      'answer 0',
      'new',
      'answer 1',
    ]);
  });
});

/** A turn `t` of a process that is gone: begun, with its user row, and nothing after that. */
async function beginAndDie(store: SessionStore, text: string) {
  const session = await store.createSession({
    source: 'cli',
    profile: 'default',
    cwd: '/',
    provider: 'p',
    model: 'm',
  });
  const attempt = await store.acquireLease({ conversationId: session.id, holder: 'dead' });
  if (!attempt.acquired) throw new Error('held');
  const admission = await store.admit({
    requestId: 'r',
    principalId: 'local',
    owner: 'dead',
    sessionId: session.id,
    text,
    intent: 'queue',
  });
  await store.beginTurn(attempt.lease, {
    turnId: 't',
    admissionId: admission.id,
    userRow: { role: 'user', content: text },
  });
  return { session, lease: attempt.lease };
}

function withSessionText(engine: Engine) {
  const sessionText = async (sessionId: string) =>
    (await engine.store.visibleRows(sessionId, { limit: 50 })).map((row) => row.content);
  return { engine, sessionText };
}
