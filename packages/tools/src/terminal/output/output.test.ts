import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ControlSequenceFilter } from './control-sequences.ts';
import { MAX_OUTPUT_CHARS, OutputWindow } from './output-window.ts';

const windowOf = (pieces: readonly string[], max?: number) => {
  const window = new OutputWindow(max);
  for (const piece of pieces) window.write(piece);
  return window;
};

test('a text that fits is kept whole, however it arrives', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 12 }), (pieces) => {
      const text = pieces.join('').toWellFormed();
      expect(windowOf(pieces, 4000).text()).toBe(text);
    }),
  );
});

test('a longer text keeps 40 % of its beginning and 60 % of its end around a notice, within the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 20 }), (sizes) => {
      let next = 0;
      const pieces = sizes.map((size) => Array.from({ length: size }, () => String(next++ % 10)).join(''));
      const whole = pieces.join('');
      const window = windowOf(pieces, 1000);
      const text = window.text();
      expect(text.length).toBeLessThanOrEqual(1000);
      expect(window.totalChars).toBe(whole.length);
      if (whole.length <= 1000) return;
      const [, head = '', omitted, total, tail = ''] = /^(\d+)\n\n\[… (\d+) of (\d+) .*\]\n\n(\d+)$/u.exec(text) ?? [];
      expect(whole.startsWith(head)).toBe(true);
      expect(whole.endsWith(tail)).toBe(true);
      expect(Number(omitted) + head.length + tail.length).toBe(whole.length);
      expect(Number(total)).toBe(whole.length);
      expect(head.length / (head.length + tail.length)).toBeCloseTo(0.4, 1);
    }),
  );
});

test('a cut never leaves half of a character', () => {
  const text = windowOf(['😀'.repeat(MAX_OUTPUT_CHARS)]).text();
  expect(text.isWellFormed()).toBe(true);
  expect(text.length).toBeLessThanOrEqual(MAX_OUTPUT_CHARS);
});

test('lines are counted, the last one without its end too, and the live view shows the last of them', () => {
  const window = windowOf(['one\ntw', 'o\nthree\nfour\nfive\nsix']);
  expect(window.lines).toBe(6);
  expect(window.lastLines(2)).toBe('five\nsix');
  window.write('\n');
  expect(window.lines).toBe(6);
  expect(window.lastLines(2)).toBe('five\nsix');
  expect(windowOf([]).lines).toBe(0);
});

const filtered = (pieces: readonly string[]) => {
  const filter = new ControlSequenceFilter();
  return pieces.map((piece) => filter.write(piece)).join('');
};

test.each([
  ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
  ['256 and true colours', '\u001b[38;5;12ma\u001b[38:2::1:2:3mb\u001b[m', 'ab'],
  ['cursor moves and clearing', 'a\u001b[2K\u001b[1G\u001b[?25lb\u001b[10;20H', 'ab'],
  ['titles', '\u001b]0;title\u0007a\u001b]2;other\u001b\\b', 'ab'],
  ['links', '\u001b]8;;https://example.test\u001b\\text\u001b]8;;\u001b\\', 'text'],
  ['device strings', '\u001bP1$r0m\u001b\\a\u001b_app\u001b\\b', 'ab'],
  ['character sets and single commands', '\u001b(Ba\u001b7\u001b8\u001b=b\u001bM', 'ab'],
  ['the one-byte introducer', '\u009b31mred', 'red'],
])('%s are removed', (_, input, visible) => {
  expect(filtered([input])).toBe(visible);
});

test('a sequence cut into pieces anywhere is removed all the same', () => {
  const input = 'a\u001b[1;31mred\u001b[0m\u001b]0;t\u0007b\u001b]8;;u\u001b\\c\u001bPx\u001b\\d\u001b(B.\n';
  fc.assert(
    fc.property(fc.array(fc.nat(input.length), { maxLength: 6 }), (cuts) => {
      const places = [0, ...cuts, input.length].sort((left, right) => left - right);
      const pieces = places.slice(1).map((end, at) => input.slice(places[at], end));
      expect(filtered(pieces)).toBe('aredbcd.\n');
    }),
  );
});
