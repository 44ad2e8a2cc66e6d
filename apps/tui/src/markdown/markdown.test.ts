import fc from 'fast-check';
import { lexer } from 'marked';
import { describe, expect, test } from 'vitest';
import { type Line, plainText } from '../text/style.ts';
import { cellWidth } from '../text/width.ts';
import { joinParts, renderPart } from './render.ts';
import { appendMarkdown, EMPTY_MARKDOWN, finishMarkdown, type MarkdownPart, splitMarkdown } from './split.ts';

function toText(line: Line): string {
  return plainText(line).trimEnd();
}

function draw(parts: readonly MarkdownPart[], width = 60): string[] {
  return joinParts(parts.map((part) => ({ part, lines: renderPart(part, width, lexer).map(toText) })));
}

function drawn(source: string, width = 60): string[] {
  return draw(splitMarkdown(source), width);
}

const SAMPLE = [
  '# Title',
  'A paragraph with **bold**.',
  '',
  '- one',
  '  - nested',
  '',
  '    more of nested',
  '- two',
  '',
  'After the list:',
  '```ts',
  'const a = 1;',
  '',
  'const b = `x`;',
  '```',
  'Right after.',
  '',
  '| a | b |',
  '|---|--:|',
  '| 数据 | 1 |',
  '',
  '1. first',
  '   ~~~',
  '   code in a list',
  '',
  '   goes on',
  '   ~~~',
  '2. second',
  '',
  '> quoted',
  'last',
].join('\n');

describe('splitting', () => {
  test('a text cut at any place ends in the same parts as the whole', () => {
    const whole = splitMarkdown(SAMPLE);
    for (let cut = 0; cut <= SAMPLE.length; cut++) {
      const first = appendMarkdown(EMPTY_MARKDOWN, SAMPLE.slice(0, cut));
      expect(finishMarkdown(appendMarkdown(first, SAMPLE.slice(cut)))).toEqual(whole);
    }
  });

  test('any text in any pieces ends in the same parts as the whole', () => {
    const piece = fc.oneof(
      fc.constantFrom('\n', '\n\n', '```\n', '- a\n', '# h\n', '  ', '| a | b |\n', '~~~', '1. x\n'),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const streamed = pieces.reduce(appendMarkdown, EMPTY_MARKDOWN);
        expect(finishMarkdown(streamed)).toEqual(splitMarkdown(pieces.join('')));
      }),
    );
  });

  test('what is closed never changes when more arrives', () => {
    let markdown = EMPTY_MARKDOWN;
    for (const character of SAMPLE) {
      const next = appendMarkdown(markdown, character);
      expect(next.parts.slice(0, markdown.parts.length)).toEqual(markdown.parts);
      markdown = next;
    }
  });

  test('a list stays open over blank lines, and closes with the first line that is not of it', () => {
    expect(splitMarkdown('- a\n\n- b\n\nend\n')).toEqual([
      { kind: 'text', source: '- a\n\n- b\n\n' },
      { kind: 'text', source: 'end\n' },
    ]);
  });

  test('a long fence closes in pieces, and only the first has its label', () => {
    const code = Array.from({ length: 100 }, (_, row) => `line ${row}`).join('\n');
    const parts = splitMarkdown(`\`\`\`sh\n${code}\n\`\`\`\n`);
    expect(parts).toHaveLength(3);
    expect(parts.map((part) => part.kind === 'code' && part.first)).toEqual([true, false, false]);
    expect(drawn(`\`\`\`sh\n${code}\n\`\`\``)).toEqual(['  sh', ...code.split('\n').map((line) => `  ${line}`)]);
  });
});

describe('drawing', () => {
  test('the sample reads well', () => {
    expect(drawn(SAMPLE)).toEqual([
      'Title',
      '',
      'A paragraph with bold.',
      '',
      '• one',
      '  ◦ nested',
      '',
      '    more of nested',
      '• two',
      '',
      'After the list:',
      '',
      '  ts',
      '  const a = 1;',
      '',
      '  const b = `x`;',
      '',
      'Right after.',
      '',
      'a    │ b',
      '─────┼──',
      '数据 │ 1',
      '',
      '1. first',
      '     code in a list',
      '',
      '     goes on',
      '2. second',
      '',
      '│ quoted',
      '│ last',
    ]);
  });

  test('task lists have boxes instead of bullets', () => {
    expect(drawn('- [x] done\n- [ ] open')).toEqual(['☑ done', '☐ open']);
  });

  test('a link shows its address when its text does not', () => {
    expect(drawn('[docs](https://example.org) and https://example.org/x')).toEqual([
      'docs (https://example.org) and https://example.org/x',
    ]);
  });

  test('line breaks of the source are kept, entities are characters', () => {
    expect(drawn('one\ntwo &lt;b&gt; &amp; three')).toEqual(['one', 'two <b> & three']);
  });

  test('a code line that does not fit goes on behind an arrow in the gutter', () => {
    expect(drawn('```\nabcdefghij\n```', 8)).toEqual(['  abcdef', '↪ ghij']);
  });

  test('a table that is too wide wraps its widest cells', () => {
    const table = '| name | text |\n|---|---|\n| a | one two three four five six |\n';
    expect(drawn(table, 24)).toEqual([
      'name │ text',
      '─────┼──────────────────',
      'a    │ one two three',
      '     │ four five six',
    ]);
    for (const line of drawn(table, 24)) expect(cellWidth(line)).toBeLessThanOrEqual(24);
  });

  test('a table with no room for its columns becomes cards', () => {
    const table = '| first | second | third |\n|---|---|---|\n| aaaaaaaaaa | bbbbbbbbbb | cccccccccc |\n';
    expect(drawn(table, 20)).toEqual(['first: aaaaaaaaaa', 'second: bbbbbbbbbb', 'third: cccccccccc']);
  });

  test('before the lexer is there the source is shown as it is', () => {
    expect(renderPart({ kind: 'text', source: '**a** b\n' }, 40, null).map(plainText)).toEqual(['**a** b']);
  });

  test('nothing is wider than the screen', () => {
    for (let width = 10; width <= 60; width++) {
      for (const line of drawn(SAMPLE, width)) expect(cellWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  test('control sequences of the model never get through', () => {
    const text = drawn('a\u001b[2Jb\n\n```\nc\u001b]52;c;x\u0007d\n```\n').join('\n');
    expect(text).toBe('ab\n\n  cd');
  });
});
