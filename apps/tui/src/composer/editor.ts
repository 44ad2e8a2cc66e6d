import { nextBoundary, previousBoundary } from '../text/width.ts';
import {
  deservesChip,
  expandChips,
  type PasteChip,
  pastedText,
  placeholder,
  withoutPlaceholders,
} from './paste-chip.ts';
import { wordEnd, wordStart } from './words.ts';

/** Text under the cursor with what is needed to take edits back. Offsets count UTF-16 units, always between graphemes. */
export interface Editor {
  readonly text: string;
  readonly cursor: number;
  readonly chips: readonly PasteChip[];
  readonly undo: readonly Snapshot[];
  readonly redo: readonly Snapshot[];
  /** What was cut, newest first. */
  readonly kills: readonly string[];
  /** Set while consecutive edits make up one step. */
  readonly run: 'typing' | 'killing' | null;
  /** The stretch a yank put in, while the next key may exchange it. */
  readonly yanked: { readonly start: number; readonly index: number } | null;
}

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

const MAX_UNDO = 200;
const MAX_KILLS = 20;

export const EMPTY_EDITOR: Editor = {
  text: '',
  cursor: 0,
  chips: [],
  undo: [],
  redo: [],
  kills: [],
  run: null,
  yanked: null,
};

/** Types text at the cursor. Letters typed in a row are undone together. */
export function insert(editor: Editor, typed: string): Editor {
  const text = withoutPlaceholders(typed);
  if (text === '') return editor;
  const joins = editor.run === 'typing' && !/\s/.test(text);
  const edited = edit(editor, editor.cursor, editor.cursor, text);
  return { ...edited, undo: joins ? editor.undo : edited.undo, run: 'typing' };
}

/** Pastes text: normalised, and as a chip from 5 lines or 2,000 characters on. */
export function paste(editor: Editor, raw: string): Editor {
  const text = pastedText(raw);
  if (!deservesChip(text)) return edit(editor, editor.cursor, editor.cursor, text);
  const chip = { id: (editor.chips.at(-1)?.id ?? 0) + 1, text };
  const withChip = { ...editor, chips: [...editor.chips, chip] };
  return edit(withChip, editor.cursor, editor.cursor, placeholder(chip));
}

/** Puts a paste in full in the place of its chip: the last one before the cursor, else the first one after it. */
export function expandChip(editor: Editor): Editor {
  const found = chipBefore(editor) ?? chipAfter(editor);
  return found ? edit(editor, found.at, found.at + placeholder(found.chip).length, found.chip.text) : editor;
}

/** What is sent: chips in full. */
export function fullText(editor: Pick<Editor, 'text' | 'chips'>): string {
  return expandChips(editor.text, editor.chips);
}

export function setText(editor: Editor, text: string, chips: readonly PasteChip[] = editor.chips): Editor {
  const edited = edit(editor, 0, editor.text.length, text);
  return { ...edited, chips };
}

/** An empty editor that remembers what was cut. */
export function cleared(editor: Editor): Editor {
  return { ...EMPTY_EDITOR, kills: editor.kills };
}

export function deleteLeft(editor: Editor): Editor {
  return edit(editor, previousBoundary(editor.text, editor.cursor), editor.cursor, '');
}

export function deleteRight(editor: Editor): Editor {
  return edit(editor, editor.cursor, nextBoundary(editor.text, editor.cursor), '');
}

export function moveTo(editor: Editor, cursor: number): Editor {
  return { ...editor, cursor, run: null, yanked: null };
}

export function moveLeft(editor: Editor): Editor {
  return moveTo(editor, previousBoundary(editor.text, editor.cursor));
}

export function moveRight(editor: Editor): Editor {
  return moveTo(editor, nextBoundary(editor.text, editor.cursor));
}

export function moveWordLeft(editor: Editor): Editor {
  return moveTo(editor, wordStart(editor.text, editor.cursor));
}

export function moveWordRight(editor: Editor): Editor {
  return moveTo(editor, wordEnd(editor.text, editor.cursor));
}

export function moveToLineStart(editor: Editor): Editor {
  return moveTo(editor, lineStart(editor));
}

export function moveToLineEnd(editor: Editor): Editor {
  return moveTo(editor, lineEnd(editor));
}

export function killWordLeft(editor: Editor): Editor {
  return kill(editor, wordStart(editor.text, editor.cursor), editor.cursor);
}

export function killWordRight(editor: Editor): Editor {
  return kill(editor, editor.cursor, wordEnd(editor.text, editor.cursor));
}

/** Cuts to the start of the line; at the start, the line feed before it. */
export function killToStart(editor: Editor): Editor {
  const start = lineStart(editor);
  return kill(editor, start === editor.cursor ? Math.max(0, start - 1) : start, editor.cursor);
}

/** Cuts to the end of the line; at the end, the line feed after it. */
export function killToEnd(editor: Editor): Editor {
  const end = lineEnd(editor);
  return kill(editor, editor.cursor, end === editor.cursor ? Math.min(editor.text.length, end + 1) : end);
}

export function yank(editor: Editor): Editor {
  const text = editor.kills[0];
  if (text === undefined) return editor;
  return { ...edit(editor, editor.cursor, editor.cursor, text), yanked: { start: editor.cursor, index: 0 } };
}

/** Exchanges what was just yanked for the cut before it. */
export function yankOlder(editor: Editor): Editor {
  if (!editor.yanked || editor.kills.length === 0) return editor;
  const index = (editor.yanked.index + 1) % editor.kills.length;
  const edited = edit(editor, editor.yanked.start, editor.cursor, editor.kills[index] ?? '');
  return { ...edited, undo: editor.undo, yanked: { start: editor.yanked.start, index } };
}

export function undo(editor: Editor): Editor {
  const last = editor.undo.at(-1);
  if (!last) return editor;
  const redo = [...editor.redo, snapshot(editor)];
  return { ...editor, ...last, undo: editor.undo.slice(0, -1), redo, run: null, yanked: null };
}

export function redo(editor: Editor): Editor {
  const last = editor.redo.at(-1);
  if (!last) return editor;
  const undo = [...editor.undo, snapshot(editor)];
  return { ...editor, ...last, undo, redo: editor.redo.slice(0, -1), run: null, yanked: null };
}

function edit(editor: Editor, from: number, to: number, text: string): Editor {
  if (from === to && text === '') return { ...editor, run: null, yanked: null };
  return {
    ...editor,
    text: editor.text.slice(0, from) + text + editor.text.slice(to),
    cursor: from + text.length,
    undo: [...editor.undo, snapshot(editor)].slice(-MAX_UNDO),
    redo: [],
    run: null,
    yanked: null,
  };
}

/** Cuts a stretch. Cuts in a row make one: `Ctrl+W Ctrl+W Ctrl+Y` puts both words back. */
function kill(editor: Editor, from: number, to: number): Editor {
  if (from === to) return moveTo(editor, editor.cursor);
  const cut = editor.text.slice(from, to);
  const [newest = '', ...older] = editor.kills;
  const joined = to === editor.cursor ? cut + newest : newest + cut;
  const kills = editor.run === 'killing' ? [joined, ...older] : [cut, ...editor.kills];
  return { ...edit(editor, from, to, ''), kills: kills.slice(0, MAX_KILLS), run: 'killing' };
}

interface PlacedChip {
  readonly chip: PasteChip;
  readonly at: number;
}

function chipBefore({ text, cursor, chips }: Editor): PlacedChip | undefined {
  return placedChips(text, chips).findLast(({ at }) => at < cursor);
}

function chipAfter({ text, cursor, chips }: Editor): PlacedChip | undefined {
  return placedChips(text, chips).find(({ at }) => at >= cursor);
}

function placedChips(text: string, chips: readonly PasteChip[]): PlacedChip[] {
  return chips
    .map((chip) => ({ chip, at: text.indexOf(placeholder(chip)) }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at);
}

function snapshot({ text, cursor }: Editor): Snapshot {
  return { text, cursor };
}

function lineStart({ text, cursor }: Editor): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

function lineEnd({ text, cursor }: Editor): number {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
}
