import { describe, expect, test } from 'vitest';
import { messagesFor } from '../language/messages.ts';
import {
  deleteLeft,
  deleteRight,
  EMPTY_EDITOR,
  type Editor,
  expandChip,
  fullText,
  insert,
  killToEnd,
  killToStart,
  killWordLeft,
  killWordRight,
  moveLeft,
  moveToLineEnd,
  moveToLineStart,
  moveWordLeft,
  moveWordRight,
  paste,
  redo,
  undo,
  yank,
  yankOlder,
} from './editor.ts';
import { layoutEditor, offsetInRow } from './editor-layout.ts';
import { EMPTY_HISTORY, leaf, remember } from './history.ts';

const messages = messagesFor('en');
const FAMILY = '👨‍👩‍👧';

/** An editor with `|` as its cursor. */
function editor(marked: string): Editor {
  const cursor = marked.indexOf('|');
  return { ...EMPTY_EDITOR, text: marked.replace('|', ''), cursor };
}

function show({ text, cursor }: Editor): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

function repeat(times: number, edit: (editor: Editor) => Editor, start: Editor): Editor {
  return Array.from({ length: times }).reduce<Editor>(edit, start);
}

describe('editing', () => {
  test('Backspace and Delete take a whole grapheme', () => {
    expect(show(deleteLeft(editor(`a${FAMILY}|b`)))).toBe('a|b');
    expect(show(deleteRight(editor(`a|${FAMILY}b`)))).toBe('a|b');
    expect(show(deleteLeft(editor('|b')))).toBe('|b');
  });

  test('words are found in Latin and in Chinese text', () => {
    expect(show(moveWordLeft(editor('one two-three |')))).toBe('one two-|three ');
    expect(show(moveWordRight(editor('one |two three')))).toBe('one two| three');
    expect(show(moveWordLeft(editor('我们喜欢北京|')))).toBe('我们喜欢|北京');
  });

  test('lines are left at their own ends', () => {
    expect(show(moveToLineStart(editor('one\ntw|o')))).toBe('one\n|two');
    expect(show(moveToLineEnd(editor('o|ne\ntwo')))).toBe('one|\ntwo');
  });

  test('what is cut comes back, and cuts in a row come back as one', () => {
    const cut = repeat(2, killWordLeft, editor('one two three|'));
    expect(show(cut)).toBe('one |');
    expect(show(yank(cut))).toBe('one two three|');
    expect(show(yank(killToEnd(killToStart(editor('ab|cd')))))).toBe('abcd|');
  });

  test('a second yank key exchanges it for the cut before', () => {
    const first = killWordRight(editor('|one two'));
    const second = killWordRight(moveLeft({ ...first, cursor: first.text.length, text: `${first.text}x`, run: null }));
    expect(second.kills).toHaveLength(2);
    expect(show(yankOlder(yank(second)))).toContain('one|');
  });

  test('letters typed in a row are undone together, words apart', () => {
    const typed = 'one two'.split('').reduce((before, letter) => insert(before, letter), EMPTY_EDITOR);
    expect(show(undo(typed))).toBe('one|');
    expect(show(undo(undo(typed)))).toBe('|');
    expect(redo(undo(typed)).text).toBe('one two');
  });
});

describe('pasting', () => {
  const long = Array.from({ length: 48 }, (_, row) => `line ${row}`).join('\r\n');

  test('short text goes in as it is, without escape sequences', () => {
    expect(show(paste(editor('a|b'), 'one\r\ntwo\u001b[31m'))).toBe('aone\ntwo|b');
  });

  test('five lines become a chip that moves and goes as a unit and is sent in full', () => {
    const pasted = insert(paste(editor('see: |'), long), '!');
    const shown = layoutEditor(pasted, 80, messages);
    expect(shown.rows.map(({ text }) => text)).toEqual(['see: [paste 1 · 48 lines · 373 B]!']);
    expect(fullText(pasted)).toBe(`see: ${long.replaceAll('\r\n', '\n')}!`);
    expect(show(repeat(2, deleteLeft, pasted))).toBe('see: |');
  });

  test('2,000 characters become a chip as well, which can be expanded in place', () => {
    const pasted = insert(paste(EMPTY_EDITOR, 'x'.repeat(2000)), ' end');
    expect(pasted.text.length).toBeLessThan(10);
    expect(expandChip(pasted).text).toBe(`${'x'.repeat(2000)} end`);
  });
});

describe('layout', () => {
  test('the cursor stands at the display width of what is before it', () => {
    expect(layoutEditor(editor(`你好，世界${FAMILY}|`), 40, messages).cursor).toEqual({ row: 0, column: 12 });
  });

  test('rows break so that the cursor always has a cell', () => {
    const layout = layoutEditor(editor('abcdefgh|'), 5, messages);
    expect(layout.rows.map(({ text }) => text)).toEqual(['abcd', 'efgh']);
    expect(layout.cursor).toEqual({ row: 1, column: 4 });
  });

  test('an empty last line is a row of its own', () => {
    expect(layoutEditor(editor('a\n|'), 10, messages).cursor).toEqual({ row: 1, column: 0 });
  });

  test('a row up or down keeps the column, by width', () => {
    const draft = editor('abcd\n数据库\nxyz|');
    const layout = layoutEditor(draft, 20, messages);
    expect(offsetInRow(draft, layout, -1, messages)).toBe('abcd\n数'.length);
    expect(offsetInRow(draft, layout, 1, messages)).toBeUndefined();
  });
});

describe('history', () => {
  const filled = ['one', 'two', 'one more'].reduce(
    (history, text) => remember(history, editor(`${text}|`)),
    EMPTY_HISTORY,
  );

  test('goes back newest first and forward to the draft', () => {
    const first = leaf(filled, EMPTY_EDITOR, 'older');
    expect(first?.draft.text).toBe('one more');
    const second = first && leaf(first.history, editor('one more|'), 'older');
    expect(second?.draft.text).toBe('two');
    const back = second && leaf(second.history, editor('two|'), 'newer');
    expect(back?.draft.text).toBe('one more');
    expect(back && leaf(back.history, editor('one more|'), 'newer')?.draft.text).toBe('');
  });

  test('keeps to entries that start with the draft', () => {
    const first = leaf(filled, editor('one|'), 'older');
    expect(first?.draft.text).toBe('one more');
    expect(first && leaf(first.history, editor('one more|'), 'older')?.draft.text).toBe('one');
  });

  test('folds duplicates and leaves out what starts with a space', () => {
    const again = remember(remember(filled, editor('one|')), editor(' secret|'));
    expect(again.entries.map(({ text }) => text)).toEqual(['two', 'one more', 'one']);
  });
});
