import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EnterGuard } from './enter-guard.ts';
import { InputDecoder } from './input-decoder.ts';
import type { InputEvent } from './input-event.ts';

function decode(...chunks: string[]): InputEvent[] {
  const decoder = new InputDecoder();
  const events = chunks.flatMap((chunk) => decoder.push(Buffer.from(chunk)));
  return [...events, ...decoder.settle()];
}

function keys(...chunks: string[]): string[] {
  return decode(...chunks).map((event) => (event.type === 'key' ? event.key : event.type));
}

/** What the terminal says on its own account. */
const REPORTS = [
  '\u001b[<0;10;5M',
  '\u001b[<0;10;5m',
  '\u001b[<35;80;24M',
  '\u001b[I',
  '\u001b[O',
  '\u001b]11;rgb:1e1e/1e1e/2e2e\u0007',
  '\u001b]11;rgb:1e1e/1e1e/2e2e\u001b\\',
  '\u001b[?2026;2$y',
  '\u001b[?62;22c',
  '\u001b[>0;276;0c',
  '\u001b[24;80R',
  '\u001bP1$r0m\u001b\\',
  '\u001bP>|XTerm(370)\u001b\\',
  '\u001b_Gi=31;OK\u001b\\',
  '\u001b[?997;1n',
];

describe('keys', () => {
  test.each([
    ['\r', 'enter'],
    ['\n', 'ctrl+j'],
    ['\t', 'tab'],
    ['\u007f', 'backspace'],
    ['\u0003', 'ctrl+c'],
    ['\u001f', 'ctrl+_'],
    ['\u001b', 'escape'],
    ['\u001b\r', 'alt+enter'],
    ['\u001b\u007f', 'alt+backspace'],
    ['\u001bb', 'alt+b'],
    ['\u001bU', 'alt+shift+u'],
    ['\u001b[A', 'up'],
    ['\u001bOB', 'down'],
    ['\u001b[1;5C', 'ctrl+right'],
    ['\u001b[1;2A', 'shift+up'],
    ['\u001b[1;5H', 'ctrl+home'],
    ['\u001b[5~', 'pageup'],
    ['\u001b[3;5~', 'ctrl+delete'],
    ['\u001b[Z', 'shift+tab'],
    ['\u001b[13;2u', 'shift+enter'],
    ['\u001b[27;2;13~', 'shift+enter'],
    ['\u001b[27u', 'escape'],
    ['\u001b[99;5u', 'ctrl+c'],
    ['\u001b[57414u', 'enter'],
  ])('%j is %s', (bytes, key) => {
    expect(keys(bytes)).toEqual([key]);
  });

  test('releases and lone modifier keys of the kitty protocol are no keys', () => {
    expect(keys('\u001b[97;1:3u', '\u001b[57441;2u')).toEqual([]);
  });

  test('two presses of Esc in one chunk are two presses', () => {
    expect(keys('\u001b\u001b')).toEqual(['escape', 'escape']);
  });

  test('text keeps its characters when they are cut between bytes', () => {
    const bytes = Buffer.from('你好👋');
    const decoder = new InputDecoder();
    const text = [...bytes].flatMap((byte) => decoder.push(Buffer.from([byte])));
    expect(text.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe('你好👋');
  });

  test('a key cut between bytes is still that key', () => {
    expect(keys('\u001b', '[', '1;', '5', 'D')).toEqual(['ctrl+left']);
  });

  test('the wheel is told from other mouse reports', () => {
    expect(decode('\u001b[<64;1;1M\u001b[<65;1;1M\u001b[<2;1;1M')).toEqual([
      { type: 'wheel', direction: 'up' },
      { type: 'wheel', direction: 'down' },
    ]);
  });

  test('the answer to the kitty query is told', () => {
    expect(decode('\u001b[?1u')).toEqual([{ type: 'kitty' }]);
  });
});

describe('reports of the terminal', () => {
  test.each(REPORTS)('%j cut at every byte types nothing', (report) => {
    for (let cut = 1; cut < report.length; cut++) expect(decode(report.slice(0, cut), report.slice(cut))).toEqual([]);
  });

  test('a storm of them, byte by byte between typed letters, leaves the letters', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...REPORTS), fc.constantFrom('a', 'b'))), (pieces) => {
        const events = decode(...pieces.join('').split(''));
        const typed = events.map((event) => (event.type === 'text' ? event.text : `<${event.type}>`)).join('');
        expect(typed).toBe(pieces.filter((piece) => piece.length === 1).join(''));
      }),
    );
  });

  test('one that stays unfinished is dropped after a second, not typed', () => {
    const decoder = new InputDecoder();
    expect(decoder.push(Buffer.from('\u001b[<0;1'))).toEqual([]);
    expect(decoder.settle()).toEqual([]);
    expect(decoder.unsettled).toBe(true);
    expect(decoder.settle(true)).toEqual([]);
    expect(decoder.push(Buffer.from('a'))).toEqual([{ type: 'text', text: 'a' }]);
  });
});

describe('bracketed paste', () => {
  const pasted = `one\r\ntwo\u001b[31m\tthree\u001b[0m`;

  test('is one event whatever is in it and however it is cut', () => {
    const bytes = `\u001b[200~${pasted}\u001b[201~x`;
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(decode(bytes.slice(0, cut), bytes.slice(cut))).toEqual([
        { type: 'paste', text: pasted },
        { type: 'text', text: 'x' },
      ]);
    }
  });

  test('whose end got lost is delivered after a second', () => {
    const decoder = new InputDecoder();
    decoder.push(Buffer.from('\u001b[200~lost'));
    expect(decoder.settle()).toEqual([]);
    expect(decoder.settle(true)).toEqual([{ type: 'paste', text: 'lost' }]);
  });
});

describe('a burst without brackets', () => {
  const text = (value: string): InputEvent => ({ type: 'text', text: value });
  const enter: InputEvent = { type: 'key', key: 'enter' };

  test('of 40 lines is text, and a lone Enter later submits', () => {
    const guard = new EnterGuard();
    const burst = Array.from({ length: 40 }, (_, row) => [text(`line ${row}`), enter]).flat();
    const events = guard.push(burst, 1000);
    expect(events.every(({ type }) => type === 'text')).toBe(true);
    expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe(
      Array.from({ length: 40 }, (_, row) => `line ${row}\n`).join(''),
    );
    expect(guard.push([enter], 1200)).toEqual([enter]);
  });

  test('that comes in several reads stays one burst', () => {
    const guard = new EnterGuard();
    const events = [
      ...guard.push([text('first line'), enter], 0),
      ...guard.push([text('second line'), enter], 30),
      ...guard.push([text('third line'), enter], 90),
    ];
    expect(events.some((event) => event.type === 'key')).toBe(false);
    expect(guard.deadline).toBeNull();
  });

  test('of one line and Enter submits when nothing follows', () => {
    const guard = new EnterGuard();
    expect(guard.push([text('hello'), enter], 0)).toEqual([text('hello')]);
    expect(guard.deadline).toBe(60);
    expect(guard.expire()).toEqual([enter]);
    expect(guard.deadline).toBeNull();
  });

  test('Enter typed by hand submits at once', () => {
    const guard = new EnterGuard();
    guard.push([text('hello')], 0);
    expect(guard.push([enter], 50)).toEqual([enter]);
  });

  test('a stray Enter right after a bracketed paste is dropped', () => {
    const guard = new EnterGuard();
    guard.push([{ type: 'paste', text: 'x' }], 0);
    expect(guard.push([enter], 100)).toEqual([]);
    expect(guard.push([enter], 300)).toEqual([enter]);
  });
});
