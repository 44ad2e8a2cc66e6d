import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReplaceRequest, replaceText } from './replace-text.ts';

/** The new text of an edit that must succeed. */
function edited(source: string, oldText: string, newText: string, more: Partial<ReplaceRequest> = {}): string {
  const result = replaceText(source, { oldText, newText, ...more });
  if (result.kind !== 'replaced') throw new Error(JSON.stringify(result));
  return result.text;
}

function strategyOf(source: string, oldText: string, newText: string): string {
  const result = replaceText(source, { oldText, newText });
  return result.kind === 'replaced' ? result.strategy : result.kind;
}

function refusalOf(source: string, oldText: string, newText: string, more: Partial<ReplaceRequest> = {}) {
  const result = replaceText(source, { oldText, newText, ...more });
  if (result.kind !== 'refused') throw new Error(JSON.stringify(result));
  return result;
}

describe('any text', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    'foo',
    ' ',
    '  ',
    '\t',
    '\n',
    '\r\n',
    '\r',
    '|',
    '"',
    '“',
    '—',
    '…',
    '\\n',
    '\\"',
    '$&',
    'é',
    '😀',
  );
  const anyText = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''));

  it('changes only the region of a unique text, whatever surrounds it', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, (before, oldText, newText, after) => {
        const source = before + oldText + after;
        const flat = source.replaceAll('\r\n', '\n');
        const wanted = oldText.replaceAll('\r\n', '\n');
        fc.pre(flat.indexOf(wanted) === flat.lastIndexOf(wanted));
        // A carriage return before a line end has no form of its own in the new text.
        fc.pre(!newText.includes('\r\r\n'));
        // A carriage return that belongs to a line end cannot be taken apart from it.
        fc.pre(!before.endsWith('\r') && !oldText.endsWith('\r') && !oldText.startsWith('\n'));
        const result = replaceText(source, { oldText, newText });
        fc.pre(result.kind === 'replaced');
        if (result.kind !== 'replaced') return;
        expect(result.exact).toBe(true);
        expect(result.text.startsWith(before)).toBe(true);
        expect(result.text.endsWith(after)).toBe(true);
        const middle = result.text.slice(before.length, result.text.length - after.length);
        expect(middle.replaceAll('\r\n', '\n')).toBe(newText.replaceAll('\r\n', '\n'));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never changes a byte outside the lines it reports', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (source, oldText, newText) => {
        const result = replaceText(source, { oldText, newText });
        if (result.kind !== 'replaced') return;
        const [span] = result.spans;
        expect(source.startsWith(result.text.slice(0, span?.start))).toBe(true);
        expect(source.endsWith(result.text.slice(span?.end))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the file keeps its form', () => {
  it('edits a CRLF file whose first line is not indented and keeps every line end', () => {
    const source = 'function a() {\r\n    return 1;\r\n}\r\nend\r\n';
    const text = edited(source, 'function a() {\n    return 1;\n}', 'function a() {\n    log();\n    return 2;\n}');
    expect(text).toBe('function a() {\r\n    log();\r\n    return 2;\r\n}\r\nend\r\n');
  });

  it('takes a first line that lost its indentation on the way', () => {
    const source = '  if (x) {\r\n    go();\r\n  }\r\n';
    expect(edited(source, 'if (x) {\n    go();\n  }', 'if (y) {\n    go();\n  }')).toBe(
      '  if (y) {\r\n    go();\r\n  }\r\n',
    );
    expect(edited('    a( 1 );  \n    b();\n', 'a( 1 );\n    b();', 'a( 2 );\n    c();\n    b();')).toContain(
      '    a( 2 );',
    );
  });

  it('keeps mixed line ends of lines it does not change', () => {
    expect(edited('a\r\nb\nc\r\nd\n', 'a\nb\nc\nd\n', 'a\nb\nX\nd\n')).toBe('a\r\nb\nX\nd\n');
  });

  it('leaves a missing final newline missing and literal pipes alone', () => {
    expect(edited('x | y\na || b', 'a || b', 'a && b')).toBe('x | y\na && b');
    expect(edited('1|one\n2|two\n', '2|two', '2|deux')).toBe('1|one\n2|deux\n');
  });

  it('does not read replacement patterns in the new text', () => {
    expect(edited('cost', 'cost', '$& $1 $$')).toBe('$& $1 $$');
  });

  it('leaves written-out escapes alone on an exact hit, also between real tabs', () => {
    expect(edited('\tprint("a");\n', 'print("a");', 'print("a\\tb\\n");')).toBe('\tprint("a\\tb\\n");\n');
  });

  it('reports the lines of the new text', () => {
    const result = replaceText('a\nb\nc\nd\n', { oldText: 'b\nc\n', newText: 'x\ny\nz\n' });
    expect(result).toMatchObject({ kind: 'replaced', ranges: [{ first: 2, last: 4 }] });
  });
});

describe('strategies, strictest first', () => {
  it.each([
    ['exact', 'let a = 1;\n', 'a = 1', 'a = 2', 'let a = 2;\n'],
    [
      'line_trimmed',
      'x\n    foo();  \n    bar();\ny\n',
      'foo();\nbar();',
      'foo();\nbaz();',
      'x\n    foo();  \n    baz();\ny\n',
    ],
    ['whitespace_collapsed', 'a  =   call(1)\n', 'a = call(1)', 'a = call(2)', 'a  =   call(2)\n'],
    ['indentation_ignored', '  a  =  1\n  b\n', 'a = 1\nb', 'a = 1\nc', '  a  =  1\n  c\n'],
    ['escapes_normalized', 'one\ntwo\n', 'one\\ntwo', 'one\\n2', 'one\n2\n'],
    [
      'boundary_trimmed',
      'head\n  one\n    two\n',
      '\n\none\n    two\n\n',
      '\n\none\n    2\n\n',
      'head\n  one\n    2\n',
    ],
    ['unicode_folded', 'say “hi” — now…\n', 'say "hi" -- now...', 'say "hi" -- later...', 'say “hi” — later…\n'],
  ])('%s', (strategy, source, oldText, newText, expected) => {
    expect(strategyOf(source, oldText, newText)).toBe(strategy);
    expect(edited(source, oldText, newText)).toBe(expected);
  });

  it('block_anchor: first and last line stand, the inside is nearly the same', () => {
    const source = 'start of block\n  const total = computeTheTotal(items, taxes);\nend of block\n';
    const sent = 'start of block\n  const total = computeTheTotal(items, taxs);\nend of block\n';
    expect(strategyOf(source, sent, sent.replace('end of', 'END OF'))).toBe('block_anchor');
    expect(edited(source, sent, sent.replace('end of', 'END OF'))).toBe(source.replace('end of', 'END OF'));
  });

  it('line_similarity: most lines stand, one has a slip', () => {
    const source = 'first line of the text\nsecond line of the text\nthird line of the text\n';
    const sent = 'first line of the text\nsecond line of the text\nthird line of teh text\n';
    const result = replaceText(source, { oldText: sent, newText: sent.replace('first', 'FIRST') });
    expect(result).toMatchObject({ kind: 'replaced', strategy: 'line_similarity', exact: false });
    expect(result).toHaveProperty('text', source.replace('first', 'FIRST'));
  });
});

describe('typographic characters', () => {
  it('stay in parts that do not change, and on other lines', () => {
    const source = '“Well,” she said — ‘no’.\nIt’s 5 − 3.\n';
    const text = edited(source, "\"Well,\" she said -- 'no'.\nIt's 5 - 3.", "\"Well,\" he said -- 'no'.\nIt's 5 - 3.");
    expect(text).toBe('“Well,” he said — ‘no’.\nIt’s 5 − 3.\n');
  });

  it('are not taken apart: half of an ellipsis does not match', () => {
    expect(refusalOf('wait…\n', 'wait..', 'go').reason).toBe('not_found');
  });
});

describe('indentation', () => {
  it('is shifted as the region is shifted', () => {
    const source = 'class A:\n        def f(self):\n            pass\n';
    expect(edited(source, 'def f(self):\n    pass', 'def f(self):\n    if x:\n        pass')).toBe(
      'class A:\n        def f(self):\n            if x:\n                pass\n',
    );
  });

  it('is translated from spaces to the tabs of the file', () => {
    const source = 'f() {\n\tif (x) {\n\t\tgo();\n\t}\n}\n';
    const sent = '    if (x) {\n        go();\n    }';
    expect(edited(source, sent, '    if (x) {\n        for (;;) {\n            go();\n        }\n    }')).toBe(
      'f() {\n\tif (x) {\n\t\tfor (;;) {\n\t\t\tgo();\n\t\t}\n\t}\n}\n',
    );
  });

  it('that cannot be translated is refused', () => {
    const source = '\tif (x) {\n\t\tgo();\n\t}\n';
    expect(refusalOf(source, '    if (x) {\n        go();\n    }', '    if (x) {\n       odd();\n    }').reason).toBe(
      'odd_indent',
    );
    const mixed = '\ta();\n  b();\n';
    expect(refusalOf(mixed, '    a();\n    b();', '    a();\n      c();\n    b();').reason).toBe('odd_indent');
  });

  it('leaves untouched lines of a region with tabs and spaces mixed as they are', () => {
    expect(edited('\ta();  \n  b();\n \tc();\n', 'a();\nb();\nc();', 'a();\nc();')).toBe('\ta();  \n \tc();\n');
  });

  it('written out as backslash-t becomes real tabs where the region has them', () => {
    expect(edited('\ta();\n\tb();\n', 'a();\nb();', 'a();\n\\tc();\nb();')).toContain('c();');
    expect(edited('x\n\ta();\n', '\ta();  ', '\\ta(1);')).toBe('x\n\ta(1);\n');
  });
});

describe('guards', () => {
  it('lists at most five places of a text that is not unique', () => {
    const refusal = refusalOf('same line\n'.repeat(7), 'same line', 'other');
    expect(refusal.message).toContain('7 places');
    expect(refusal.places).toHaveLength(5);
    expect(refusal.places?.[1]).toBe('L2: same line');
  });

  it('changes every place when asked, also with other spacing', () => {
    expect(edited('a a a\n', 'a', 'b', { replaceAll: true })).toBe('b b b\n');
    expect(edited('f( x,  y )\nf( x,   y )\n', 'f( x, y )', 'g( x, y )', { replaceAll: true })).toBe(
      'g( x,  y )\ng( x,   y )\n',
    );
  });

  it('refuses empty, blank and equal texts with the way out', () => {
    expect(refusalOf('x', '', 'y').message).toContain('write_file');
    expect(refusalOf('x\n\n', ' \n', 'y').reason).toBe('blank');
    expect(refusalOf('x', 'x', 'x').reason).toBe('equal');
  });

  it('does not edit a similar neighbour, and shows it', () => {
    const refusal = refusalOf('alpha(1)\nbeta(2)\n', 'beta(9)', 'beta(10)');
    expect(refusal.reason).toBe('not_found');
    expect(refusal.closest).toEqual({ line: 2, diff: '+beta(2)\n-beta(9)' });
  });

  it('does not take a block with other numbers for the one that was sent', () => {
    const source = 'function calculate() {\n  const result = alpha(1) + beta(2);\n  return result;\n}\n';
    const sent = source.replace('beta(2)', 'beta(9)');
    expect(refusalOf(source, sent, sent.replace('beta(9)', 'beta(10)')).reason).toBe('not_found');
  });

  it('does not edit by similarity when two regions are alike or all are meant', () => {
    const block = 'first line of the text\nsecond line of the text\nthird line of the text\n';
    const sent = block.replace('third line of the', 'third line of teh');
    expect(refusalOf(block + block, sent, 'x\n').reason).toBe('not_unique');
    expect(refusalOf(block, sent, 'x\n', { replaceAll: true }).reason).toBe('replace_all_by_similarity');
  });

  it('recognizes an edit that was made before', () => {
    const source = 'const limit = 10;\nrun();\n';
    for (const [oldText, newText] of [
      ['const limit = 10;', 'const limit = 2000;'],
      ['run();', 'run();\nrunAgain();'],
      ['const limit = 10;', '    const limit = 10;'],
      ['run();\n', '“quoted” run();\n'],
    ] as const) {
      const once = edited(source, oldText, newText);
      expect(replaceText(once, { oldText, newText })).toMatchObject({ kind: 'already_applied' });
    }
  });

  it('refuses quotes that carry a backslash the file does not have', () => {
    const refusal = refusalOf('say("hi");\n', 'say(\\"hi\\");', 'say(\\"ho\\");');
    expect(refusal.reason).toBe('escape_drift');
    expect(refusal.places).toEqual(['L1: say("hi");']);
    expect(edited('say(\\"hi\\");\n', 'say(\\"hi\\");', 'say(\\"ho\\");')).toBe('say(\\"ho\\");\n');
  });

  it('does not call it a success when nothing would change', () => {
    expect(refusalOf('foo();\n', '\nfoo();', '\n\nfoo();').reason).toBe('not_found');
  });

  it('tells about line numbers that were copied along', () => {
    expect(refusalOf('one\ntwo\n', '1|one\n2|two', 'x').message).toContain('line numbers');
  });
});

describe('size', () => {
  const lines = Array.from(
    { length: 100_000 },
    (_, index) => `  line ${index} — with “some” text that makes it longer;\r\n`,
  );
  const big = lines.join('');

  it.each([
    ['an exact hit', 'line 90000 — with', 'line 90000 — has'],
    ['a hit by look-alikes', 'line 90000 -- with "some"', 'line 90000 -- has "some"'],
    ['a text that is not there', 'no such thing\nanywhere in here\nline 90000 is\n', 'x'],
  ])('5 MB are no trouble: %s', (_name, oldText, newText) => {
    expect(big.length).toBeGreaterThan(5_000_000);
    const result = replaceText(big, { oldText, newText });
    if (result.kind === 'replaced') expect(result.text).toBe(big.replace('line 90000 — with', 'line 90000 — has'));
  });
});
