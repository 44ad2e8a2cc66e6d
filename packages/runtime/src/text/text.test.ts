import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearest } from './nearest.ts';
import { stripControlSequences } from './strip-control-sequences.ts';

describe('nearest', () => {
  test('finds the command behind a missing letter', () => {
    expect(nearest('gatway', ['status', 'gateway', 'doctor'], 3)).toEqual(['gateway']);
  });

  test('counts two swapped neighbours as one slip', () => {
    expect(nearest('mdoel', ['model', 'mode'], 1)).toEqual(['model']);
  });

  test('ignores case, repeats and what is too far away', () => {
    expect(nearest('OPENAI', ['openai', 'openai', 'anthropic', 'x'], 3)).toEqual(['openai']);
    expect(nearest('abc', ['xyz'], 3)).toEqual([]);
  });

  test('gives no more than asked, nearest first and then by name', () => {
    expect(nearest('cron', ['crons', 'cronb', 'cron', 'crony'], 2)).toEqual(['cron', 'cronb']);
  });

  test('a word always finds itself first', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (words) => {
        const word = words[0] ?? '';
        expect(nearest(word, words, 1)[0]?.toLowerCase()).toBe(word.toLowerCase());
      }),
    );
  });
});

describe('stripControlSequences', () => {
  test.each([
    ['colours and cursor moves', '\u001b[31mred\u001b[0m \u001b[2J\u001b[10;5Hhere', 'red here'],
    ['a window title', 'a\u001b]0;owned\u0007b', 'ab'],
    ['a clipboard write closed by the string terminator', 'a\u001b]52;c;ZXZpbA==\u001b\\b', 'ab'],
    [
      'device control, application and privacy strings',
      'a\u001bPq#0\u001b\\b\u001b_x\u001b\\c\u001b^y\u001b\\d',
      'abcd',
    ],
    ['the 8-bit forms', 'a\u009b31mb\u009d0;t\u009cc\u0085d', 'abcd'],
    ['two-character escapes and character sets', 'a\u001bcb\u001b(0c\u001b7d', 'abcd'],
    ['an escape at the very end', 'ab\u001b', 'ab'],
    ['a sequence cut short by the end', 'ab\u001b[12;', 'ab'],
    ['bidirectional overrides and isolates', 'abc\u202etxt.exe\u202c \u2066x\u2069', 'abctxt.exe x'],
    ['backspace, bell, vertical tab, delete', 'a\bb\u0007c\u000bd\u007fe', 'abcde'],
  ])('drops %s', (_name, text, plain) => {
    expect(stripControlSequences(text)).toBe(plain);
  });

  test('turns carriage returns into line ends, so nothing is painted over', () => {
    expect(stripControlSequences('one\r\ntwo\rthree')).toBe('one\ntwo\nthree');
  });

  test('a string that is never closed costs its own line only', () => {
    expect(stripControlSequences('a\u001b]0;title\nnext line')).toBe('a\nnext line');
  });

  test('leaves plain text alone, whatever the script', () => {
    const text = 'tab\there, 你好, שלום, \u{1F468}\u200D\u{1F469}\u200D\u{1F467}\n';
    expect(stripControlSequences(text)).toBe(text);
  });

  test('never leaves an escape or C1 character, and a second pass changes nothing', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u001b',
        '\u001b[',
        '\u001b]',
        '\u001bP',
        '\u009b',
        '\u009d',
        '\u0007',
        '\u001b\\',
        ';',
        '31m',
        '\n',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const once = stripControlSequences(pieces.join(''));
        // oxlint-disable-next-line no-control-regex
        expect(once).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(stripControlSequences(once)).toBe(once);
      }),
    );
  });

  test('stays fast on a million introducers that are never closed', () => {
    const started = performance.now();
    stripControlSequences('\u001b]'.repeat(500_000));
    stripControlSequences(`\u001b]${'x'.repeat(1_000_000)}`);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
