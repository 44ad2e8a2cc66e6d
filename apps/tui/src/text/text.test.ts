import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clean, cleanLine } from './clean.ts';
import { hardWrap } from './hard-wrap.ts';
import { createPaint, look, plainText, span } from './style.ts';
import { cellWidth, graphemes, nextBoundary, padTo, previousBoundary, truncate } from './width.ts';
import { wrap, wrapText } from './wrap.ts';

const FAMILY = '👨‍👩‍👧‍👦';

function lines(text: string, width: number): string[] {
  return wrapText(text, width).map(plainText);
}

describe('widths', () => {
  test('Chinese counts two columns, an emoji family is one character of two', () => {
    expect(cellWidth('你好，世界')).toBe(10);
    expect(cellWidth(FAMILY)).toBe(2);
    expect(graphemes(`a${FAMILY}é`)).toHaveLength(3);
  });

  test('boundaries step over a whole grapheme in both directions', () => {
    const text = `a${FAMILY}b`;
    expect(nextBoundary(text, 1)).toBe(1 + FAMILY.length);
    expect(previousBoundary(text, 1 + FAMILY.length)).toBe(1);
    expect(previousBoundary('', 0)).toBe(0);
  });

  test('a cut never exceeds its width, not even in the middle of a wide character', () => {
    expect(truncate('数据库备份', 7)).toBe('数据库…');
    expect(truncate('数据库备份', 6)).toBe('数据…');
    expect(padTo('数据', 6)).toBe('数据  ');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 20 }), (text, width) => {
        expect(cellWidth(truncate(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('wrapping', () => {
  test('breaks at spaces and drops the space at the break', () => {
    expect(lines('the quick brown fox', 10)).toEqual(['the quick', 'brown fox']);
  });

  test('keeps indentation at the start of a line', () => {
    expect(lines('  two', 10)).toEqual(['  two']);
  });

  test('breaks Chinese anywhere, but never puts a closing mark first', () => {
    expect(lines('你好世界和平', 8)).toEqual(['你好世界', '和平']);
    expect(lines('你好世界，和平', 8)).toEqual(['你好世', '界，和平']);
  });

  test('breaks a word that is longer than a line', () => {
    expect(lines('see https://example.org/a', 10)).toEqual(['see', 'https://ex', 'ample.org/', 'a']);
  });

  test('a word in two looks stays one word', () => {
    const wrapped = wrap([span('aaa bb'), span('bb', look.strong)], 6);
    expect(wrapped.map(plainText)).toEqual(['aaa', 'bbbb']);
  });

  test('no line is wider than asked and no letter is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 4, max: 40 }), (raw, width) => {
        const text = clean(raw);
        const wrapped = lines(text, width);
        for (const line of wrapped) expect(cellWidth(line)).toBeLessThanOrEqual(width);
        expect(wrapped.join('').replaceAll(' ', '')).toBe(text.replaceAll(/[ \n]/g, ''));
      }),
    );
  });

  test('a hard wrap keeps every character', () => {
    expect(hardWrap('abcdef', 4)).toEqual(['abcd', 'ef']);
    expect(hardWrap('数据库', 5)).toEqual(['数据', '库']);
    expect(hardWrap('', 5)).toEqual(['']);
  });
});

describe('untrusted text', () => {
  test('loses its control sequences and keeps its words', () => {
    expect(clean('\u001b[2Jred\u001b]0;title\u0007 \u202eabc')).toBe('red abc');
    expect(cleanLine('one\n  two')).toBe('one two');
  });

  test('has its tabs as spaces up to the next stop', () => {
    expect(clean('a\tb\n\tc')).toBe('a   b\n    c');
  });
});

describe('painting', () => {
  test('without colour the other attributes stay', () => {
    const line = [span('ok', { color: 'green', bold: true })];
    expect(createPaint({ color: true })(line)).toBe('\u001b[1;32mok\u001b[0m');
    expect(createPaint({ color: false })(line)).toBe('\u001b[1mok\u001b[0m');
  });
});
