import type { FileText, Span } from '../text/file-lines.ts';

/** How an edit found its place, strictest first (tools spec 3.3). */
export type StrategyName =
  | 'exact'
  | 'line_trimmed'
  | 'whitespace_collapsed'
  | 'indentation_ignored'
  | 'escapes_normalized'
  | 'boundary_trimmed'
  | 'unicode_folded'
  | 'block_anchor'
  | 'line_similarity';

/** What is looked for: the old text, and what comes in its place; both with LF line ends. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  /** Only places that begin where a line begins. */
  readonly wholeLines: boolean;
}

/** The places a strategy found, with the texts as they stand against those places: `oldText` has the region's line count. */
export interface Match {
  readonly spans: readonly Span[];
  readonly oldText: string;
  /** The new text for a region, given the region's text with LF line ends. */
  readonly newTextFor: (region: string) => string;
}

/** One way of finding the old text. */
export interface Strategy {
  readonly name: StrategyName;
  /** Accepts regions that only resemble the old text: single use, with a floor. */
  readonly bySimilarity: boolean;
  readonly find: (file: FileText, edit: Edit) => Match;
}

/** An edit against whole lines: the lines looked for, and whether the last line end belongs to the region. */
export interface LineEdit {
  readonly lines: readonly string[];
  readonly oldText: string;
  readonly newText: string;
  readonly withEnd: boolean;
}

/** A line end that closes both texts stays outside the region, so that a last line without one matches as well. */
export function asLineEdit({ oldText, newText }: Pick<Edit, 'oldText' | 'newText'>): LineEdit {
  if (!oldText.endsWith('\n')) return { lines: oldText.split('\n'), oldText, newText, withEnd: false };
  const body = oldText.slice(0, -1);
  if (newText.endsWith('\n')) {
    return { lines: body.split('\n'), oldText: body, newText: newText.slice(0, -1), withEnd: false };
  }
  return { lines: body.split('\n'), oldText, newText, withEnd: true };
}

/** The match of a strategy that found whole lines at `indexes`. */
export function lineMatch(file: FileText, edit: LineEdit, indexes: readonly number[]): Match {
  return {
    spans: indexes.map((index) => file.lineSpan(index, edit.lines.length, edit.withEnd)),
    oldText: edit.oldText,
    newTextFor: () => edit.newText,
  };
}
