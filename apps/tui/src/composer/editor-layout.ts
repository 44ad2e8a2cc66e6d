import { formatBytes } from '../language/format.ts';
import type { Messages } from '../language/messages.ts';
import { cellWidth, graphemes, isPlain } from '../text/width.ts';
import type { Editor } from './editor.ts';
import { chipOf, type PasteChip } from './paste-chip.ts';

/** One row of the composer. `start` and `end` are offsets in the editor's text. */
export interface EditorRow {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface EditorLayout {
  readonly rows: readonly EditorRow[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** Breaks the text into rows of at most `width` columns, one of which stays free for the cursor. */
export function layoutEditor(editor: Editor, width: number, messages: Messages): EditorLayout {
  const room = Math.max(2, width - 1);
  const rows: EditorRow[] = [];
  let start = 0;
  for (const line of editor.text.split('\n')) {
    addRows(rows, line, start, room, editor.chips, messages);
    start += line.length + 1;
  }
  const row = rows.findLastIndex((candidate) => candidate.start <= editor.cursor);
  const current = rows[row];
  const column = current
    ? cellWidth(display(editor.text.slice(current.start, editor.cursor), editor.chips, messages))
    : 0;
  return { rows, cursor: { row: Math.max(0, row), column } };
}

/** The offset one row up or down at the same column; undefined when there is no such row. */
export function offsetInRow(
  editor: Editor,
  layout: EditorLayout,
  delta: -1 | 1,
  messages: Messages,
): number | undefined {
  const row = layout.rows[layout.cursor.row + delta];
  if (!row) return undefined;
  let offset = row.start;
  let column = 0;
  for (const grapheme of graphemes(editor.text.slice(row.start, row.end))) {
    column += cellWidth(display(grapheme, editor.chips, messages));
    if (column > layout.cursor.column) break;
    offset += grapheme.length;
  }
  return offset;
}

/** What a chip looks like: `[paste 1 · 48 lines · 1.9 KB]`. */
function chipLabel({ id, text }: PasteChip, messages: Messages): string {
  return messages.composer.paste(id, text.trimEnd().split('\n').length, formatBytes(Buffer.byteLength(text)));
}

function display(text: string, chips: readonly PasteChip[], messages: Messages): string {
  if (isPlain(text)) return text;
  return text
    .replace(/\p{Co}/gu, (character) => {
      const chip = chipOf(character, chips);
      return chip ? chipLabel(chip, messages) : character;
    })
    .replaceAll('\t', '  ');
}

function addRows(
  rows: EditorRow[],
  line: string,
  lineStart: number,
  room: number,
  chips: readonly PasteChip[],
  messages: Messages,
): void {
  if (isPlain(line)) {
    for (let at = 0; at === 0 || at < line.length; at += room) {
      const text = line.slice(at, at + room);
      rows.push({ text, start: lineStart + at, end: lineStart + at + text.length });
    }
    return;
  }
  let row = { text: '', start: lineStart, end: lineStart };
  let used = 0;
  for (const grapheme of graphemes(line)) {
    const shown = display(grapheme, chips, messages);
    const width = cellWidth(shown);
    if (used + width > room && used > 0) {
      rows.push(row);
      row = { text: '', start: row.end, end: row.end };
      used = 0;
    }
    row = { text: row.text + shown, start: row.start, end: row.end + grapheme.length };
    used += width;
  }
  rows.push(row);
}
