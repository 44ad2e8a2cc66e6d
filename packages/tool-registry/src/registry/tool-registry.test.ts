import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@hermes/runtime';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  ArgumentValidator,
  endsInsideString,
  parseArguments,
  planSegments,
  prepareCall,
  runTool,
  type ToolContext,
  type ToolDefinition,
  ToolRegistry,
  ToolState,
} from '../index.ts';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const tool = (name: string, extra: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  toolset: 'test',
  description: name,
  parameters: { type: 'object', properties: {} },
  parallel: 'barrier',
  effect: 'local',
  handler: async () => ({ ok: true }),
  ...extra,
});

function context(): ToolContext {
  const cacheDir = mkdtempSync(join(tmpdir(), 'hermes-tools-'));
  dirs.push(cacheDir);
  return {
    sessionId: 's',
    turnId: 't',
    callId: 'call_1',
    cwd: cacheDir,
    signal: new AbortController().signal,
    clock: systemClock,
    state: new ToolState(),
    childEnv: {},
    cacheDir,
    progress: () => undefined,
  };
}

describe('the registry', () => {
  test('lists tools by name, and the same tools give the same hash whatever their order', () => {
    const [one, two] = [new ToolRegistry(), new ToolRegistry()];
    for (const name of ['b', 'a', 'c']) one.register(tool(name));
    for (const name of ['c', 'b', 'a']) two.register(tool(name));
    expect(one.list().names).toEqual(['a', 'b', 'c']);
    expect(one.list().schemaHash).toBe(two.list().schemaHash);
    expect(one.list({ toolsets: ['other'] }).names).toEqual([]);
  });

  test('replaces a tool of its own set and refuses one of another set', () => {
    const registry = new ToolRegistry();
    registry.register(tool('a'));
    registry.register(tool('a', { description: 'newer' }));
    expect(registry.list().schemas[0]?.description).toBe('newer');
    expect(() => registry.register(tool('a', { toolset: 'other' }))).toThrow('set test has a tool of that name');
    expect(() => registry.register(tool('not a name'))).toThrow('must match');
    expect(() => registry.register(tool('b', { parameters: { type: 'string' } }))).toThrow('type object');
  });

  test('finds what a model meant: another case, another separator, an alias; never a different tool', () => {
    const registry = new ToolRegistry();
    registry.register(tool('read_file', { aliases: ['cat'] }));
    const list = registry.list();
    for (const name of ['read_file', 'Read_File', 'read-file', 'readFile', 'CAT'])
      expect(list.find(name)?.name).toBe('read_file');
    expect(list.find('read_files')).toBeUndefined();
    expect(list.names).toEqual(['read_file']);
  });
});

describe('arguments', () => {
  test.each([
    ['', {}, false],
    ['None', {}, false],
    ['{"a": 1}', { a: 1 }, false],
    ['{"a": 1,}', { a: 1 }, true],
    ["{'a': True, 'b': None}", { a: true, b: null }, true],
    ['```json\n{"a": 1}\n```', { a: 1 }, true],
    ['{"a": [1, 2', { a: [1, 2] }, true],
    ['"{\\"a\\": 1}"', { a: 1 }, true],
    ['{"text": "line one\nline two"}', { text: 'line one\nline two' }, true],
  ])('%j is read as %j', async (text, args, repaired) => {
    expect(await parseArguments(text)).toEqual({ ok: true, args, repaired });
  });

  test.each([
    ['{"path": "a.txt", "content": "half a fi', 'truncated'],
    ['{"a": "b\\', 'truncated'],
    ['[1, 2]', 'not_object'],
    ['42', 'not_object'],
    ['"text"', 'not_object'],
  ])('%j is refused: %s', async (text, reason) => {
    expect(await parseArguments(text)).toEqual({ ok: false, reason });
  });

  test('cut anywhere inside a string, arguments are never completed and run', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.nat(), async (content, at) => {
        const whole = JSON.stringify({ path: 'x', content });
        const cut = whole.slice(0, 1 + (at % (whole.length - 1)));
        const parsed = await parseArguments(cut);
        if (endsInsideString(cut)) expect(parsed).toEqual({ ok: false, reason: 'truncated' });
      }),
    );
  });

  const schema = {
    type: 'object',
    properties: {
      n: { type: 'integer' },
      flag: { type: 'boolean' },
      list: { type: 'array', items: { type: 'string' } },
      mode: { enum: ['a', 'b'] },
    },
    required: ['n'],
    additionalProperties: false,
  };

  test('are brought to the wanted types where that is safe', async () => {
    const validator = new ArgumentValidator();
    const input = { n: '5', flag: 'true', list: '["x", "y"]' };
    expect(await validator.validate(schema, input)).toEqual({ ok: true, args: { n: 5, flag: true, list: ['x', 'y'] } });
    expect(input.n).toBe('5');
    expect(await validator.validate(schema, { n: 1, flag: null })).toEqual({ ok: true, args: { n: 1 } });
    expect(await validator.validate(schema, { n: null })).toMatchObject({ ok: false });
    expect(await validator.validate(schema, { n: 1, list: 'x' })).toEqual({ ok: true, args: { n: 1, list: ['x'] } });
  });

  test('that do not fit are explained to the model', async () => {
    const registry = new ToolRegistry();
    registry.register(tool('count', { parameters: schema }));
    const prepared = await prepareCall(
      { id: 'c', name: 'count', argumentsJson: '{"mode": "z", "extra": 1}' },
      registry.list(),
      new ArgumentValidator(),
      false,
    );
    expect(prepared).toMatchObject({ kind: 'invalid', fault: 'arguments_invalid' });
    if (prepared.kind !== 'invalid') throw new Error('unreachable');
    expect(prepared.error).toContain("must have required property 'n'");
    expect(prepared.error).toContain('extra');
    expect(prepared.error).toContain('a,b');
  });
});

describe('running a tool', () => {
  test('a long result goes to a private file that the answer names', async () => {
    const long = 'line of text\n'.repeat(20_000);
    const ctx = context();
    const result = await runTool(tool('big', { handler: async () => long }), {}, ctx);
    const answer = JSON.parse(result.content) as { path: string; total_chars: number; preview: string };
    expect(answer.total_chars).toBe(long.length);
    expect(answer.preview.length).toBeLessThanOrEqual(1500);
    expect(readFileSync(answer.path, 'utf8')).toBe(long);
  });

  test('a call that takes longer than it may is stopped and its effect called unknown', async () => {
    const slow = tool('slow', {
      deadlineSeconds: 0.02,
      handler: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const result = await runTool(slow, {}, context());
    expect(result).toMatchObject({ status: 'unknown', effect: 'unknown' });
    expect(result.content).toContain('stopped after 0.02 s');
  });

  test('what a failing tool says is a failed result, and a reader that fails changed nothing', async () => {
    const failing = tool('f', { effect: 'none', handler: async () => ({ error: 'no such file' }) });
    expect(await runTool(failing, {}, context())).toMatchObject({
      status: 'failed',
      effect: 'none',
      content: '{"error":"no such file"}',
    });
    expect(
      await runTool(tool('g', { handler: async () => ({ error: null, output: 'fine' }) }), {}, context()),
    ).toMatchObject({ status: 'ok', effect: 'done' });
  });
});

test('calls that read run together, everything else alone, in order', async () => {
  const registry = new ToolRegistry();
  registry.register(tool('read', { parallel: 'pathRead' }));
  registry.register(tool('write', { parallel: 'pathWrite' }));
  const names = ['read', 'read', 'write', 'read', 'nope', ...Array.from({ length: 10 }, () => 'read')];
  const calls = await Promise.all(
    names.map((name, index) =>
      prepareCall({ id: `c${index}`, name, argumentsJson: '{}' }, registry.list(), new ArgumentValidator(), false),
    ),
  );
  const segments = planSegments(calls);
  expect(segments.map((segment) => segment.length)).toEqual([2, 1, 1, 1, 8, 2]);
  expect(segments.flat()).toEqual(calls);
});
