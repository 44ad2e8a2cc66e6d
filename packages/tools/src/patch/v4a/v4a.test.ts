import { structuredPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyHunks } from './apply-hunks.ts';
import { applyOperations, type InitialFile } from './apply-operations.ts';
import { parsePatch } from './parse-patch.ts';
import type { Hunk } from './patch-operation.ts';

function hunksOf(body: string): readonly Hunk[] {
  const { operations, problems } = parsePatch(`*** Update File: f\n${body}`);
  expect(problems).toEqual([]);
  const [operation] = operations;
  return operation?.kind === 'update' ? operation.hunks : [];
}

function patched(source: string, body: string): string {
  const result = applyHunks(source, hunksOf(body));
  expect(result.problems).toEqual([]);
  return result.text;
}

function problemsOf(source: string, body: string): string {
  return applyHunks(source, hunksOf(body)).problems.join('\n');
}

function apply(patch: string, files: Readonly<Record<string, string>>) {
  const parsed = parsePatch(patch);
  expect(parsed.problems).toEqual([]);
  const known = new Map<string, InitialFile>(
    Object.entries(files).map(([path, text]) => [path, { kind: 'text', text }]),
  );
  return applyOperations(parsed.operations, known);
}

describe('reading a patch', () => {
  it('takes markers with or without Begin and End, and CRLF', () => {
    const body = '*** Update File: a b.txt\r\n@@ def f():\r\n one\r\n-two\r\n+three\r\n*** End of File\r\n';
    const expected = [
      {
        kind: 'update',
        path: 'a b.txt',
        hunks: [{ hints: ['def f():'], before: ['one', 'two'], after: ['one', 'three'] }],
      },
    ];
    expect(parsePatch(body)).toMatchObject({ operations: expected, problems: [] });
    const wrapped = `Here it is:\n\`\`\`\n*** Begin Patch\n${body}*** End Patch\n\`\`\`\n`;
    expect(parsePatch(wrapped)).toMatchObject({ operations: expected, problems: [] });
  });

  it('takes bare lines as context and markers at column 0 only', () => {
    const [hunk] = hunksOf('@@\nbare\n *** Delete File: x\n-a\n+b\n\\ No newline at end of file\n\n@@ other\n-c\n');
    expect(hunk).toMatchObject({
      before: ['bare', '*** Delete File: x', 'a'],
      after: ['bare', '*** Delete File: x', 'b'],
    });
  });

  it('drops the line numbers of a unified diff and joins nested hints', () => {
    const hunks = hunksOf('@@ -1,2 +3,4 @@ fn main\n-a\n@@ class A\n@@ def f\n-b\n@@ -7 +7 @@\n-c');
    expect(hunks.map(({ hints }) => hints)).toEqual([['fn main'], ['class A', 'def f'], []]);
  });

  it('names everything that is wrong with the form', () => {
    const { problems } = parsePatch(
      'loose\n*** Update File: a\n*** Update File: b\n@@\n only context\n*** Add File: c\nno plus\n*** Move File: d\n*** Delete File: e\n-x\n',
    );
    expect(problems).toHaveLength(7);
    expect(parsePatch('').problems).toHaveLength(1);
  });
});

describe('hunks', () => {
  const line = fc.constantFrom(
    'a',
    'b',
    '',
    '  x',
    '\ty',
    '+plus',
    '-minus',
    ' @@',
    '*** Add File: z',
    '“q” — …',
    'p | q',
    '\\n',
  );
  const endings = fc.constantFrom('\n', '\r\n');

  it('a patch made from two random texts gives the second', () => {
    fc.assert(
      fc.property(fc.array(line), fc.array(line), endings, fc.boolean(), (first, second, end, closed) => {
        const join = (lines: readonly string[]): string => lines.map((text) => text + end).join('');
        const close = (text: string): string => (closed ? text : text.slice(0, -end.length));
        const before = ['start', ...first, 'last'];
        const after = ['start', ...second, 'finish'];
        const body = [...before.map((text) => `-${text}`), ...after.map((text) => `+${text}`)].join('\n');
        expect(patched(close(join(before)), `@@\n${body}\n`)).toBe(close(join(after)));
      }),
    );
  });

  it('a patch of several hunks with three lines of context gives the second text', () => {
    const numbers = fc.array(fc.constantFrom('keep', 'drop', 'add', 'change'), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(numbers, endings, fc.boolean(), (plan, end, closed) => {
        const close = (lines: readonly string[]): string => lines.join(end) + (closed ? end : '');
        const before = plan.map((_, index) => `\tline ${index}`);
        const after = plan.flatMap((step, index) => {
          if (step === 'drop') return [];
          if (step === 'add') return [`\tline ${index}`, `    new ${index} “x”`];
          return [step === 'change' ? `\tchanged ${index}` : `\tline ${index}`];
        });
        fc.pre(before.join() !== after.join() && after.length > 0);
        const { hunks } = structuredPatch('f', 'f', `${before.join('\n')}\n`, `${after.join('\n')}\n`);
        const body = hunks.map(({ lines }) => `@@\n${lines.join('\n')}\n`).join('');
        expect(patched(close(before), body)).toBe(close(after));
      }),
    );
  });

  it('keep CRLF, a missing final newline and the file’s own characters', () => {
    expect(patched('a\r\n“b”\r\nc', '@@\n a\n "b"\n-c\n+d\n+e\n')).toBe('a\r\n“b”\r\nd\r\ne');
    expect(patched('a\nb', '@@\n-b\n')).toBe('a');
    expect(patched('', '@@\n+new\n')).toBe('new\n');
  });

  it('see what earlier hunks wrote', () => {
    expect(patched('a\nb\nc\n', '@@\n-a\n+A\n@@\n A\n-b\n+B\n')).toBe('A\nB\nc\n');
  });

  it('that overlap are refused', () => {
    expect(problemsOf('a\nb\nc\n', '@@\n a\n-b\n+B\n@@\n-B\n+X\n c\n')).toContain('Merge the two hunks');
    expect(problemsOf('a\nb\nc\n', '@@\n-a\n-b\n+x\n@@\n-b\n-c\n+y\n')).toContain('not in the file');
  });

  it('use the hint when their context stands at several places', () => {
    const source = 'def f():\n    return 1\ndef g():\n    return 1\n';
    expect(patched(source, '@@ def g():\n-    return 1\n+    return 2\n')).toBe(
      'def f():\n    return 1\ndef g():\n    return 2\n',
    );
    expect(problemsOf(source, '@@\n-    return 1\n+    return 2\n')).toContain('L2: return 1; L4: return 1');
  });

  it('that only add go below their hint, else to the end; an ambiguous hint is refused', () => {
    expect(patched('a\nb\nc\n', '@@ b\n+x\n')).toBe('a\nb\nx\nc\n');
    expect(patched('a\nb', '@@\n+x\n')).toBe('a\nb\nx');
    expect(problemsOf('a\nb\na\n', '@@ a\n+x\n')).toContain('L1, L3');
    expect(problemsOf('a\n', '@@ nowhere\n+x\n')).toContain('"nowhere" is not in the file');
  });

  it('that stand in the file already change nothing', () => {
    const once = patched('first line\nlast line\n', '@@\n first line\n+middle line\n last line\n');
    expect(applyHunks(once, hunksOf('@@\n first line\n+middle line\n last line\n'))).toMatchObject({
      text: once,
      alreadyApplied: 1,
      strategy: undefined,
    });
  });

  it('name the loosest strategy that was needed', () => {
    const result = applyHunks('a\n    b\nc\n', hunksOf('@@\n-a\n+A\n@@\n-b\n+B\n'));
    expect(result).toMatchObject({ text: 'A\n    B\nc\n', strategy: 'line_trimmed' });
  });
});

describe('operations', () => {
  it('add, update, move and delete in order, later ones seeing earlier ones', () => {
    const patch = [
      '*** Add File: new',
      '+one',
      '+',
      '+two',
      '*** Update File: new',
      '@@',
      '-two',
      '+2',
      '*** Update File: a',
      '*** Move to: dir/a',
      '@@',
      '-x',
      '+y',
      '*** Move File: b -> c',
      '*** Delete File: d',
    ].join('\n');
    const { changes, problems, exact } = apply(patch, { a: 'x\n', b: 'b', d: '' });
    expect(problems).toEqual([]);
    expect(exact).toBe(true);
    expect(changes).toEqual([
      { kind: 'write', path: 'new', origin: 'new', text: 'one\n\n2\n' },
      { kind: 'write', path: 'dir/a', origin: 'a', text: 'y\n' },
      { kind: 'move', path: 'c', origin: 'b' },
      { kind: 'delete', path: 'a' },
      { kind: 'delete', path: 'b' },
      { kind: 'delete', path: 'd' },
    ]);
  });

  it('report every problem and change nothing', () => {
    const patch = [
      '*** Add File: a',
      '+x',
      '*** Move File: a -> b',
      '*** Update File: a',
      '@@',
      '-nowhere at all',
      '+x',
      '*** Update File: a',
      '@@',
      '-text',
      '+TEXT',
      '*** Delete File: gone',
    ].join('\n');
    const { changes, problems } = apply(patch, { a: 'text\n', b: '' });
    expect(changes).toEqual([]);
    expect(problems.map((problem) => problem.split(/[.,:] /)[1])).toEqual([
      'Add File onto an existing file',
      'cannot move to b',
      'hunk at patch line 5',
      'no such file to delete.',
    ]);
  });
});
