import type { FileText, Span } from '../text/file-lines.ts';
import type { FoldedText } from '../text/folded-text.ts';
import { collapseSpaces, foldLookAlikes, hasLookAlike, writeAscii, writeSingleSpaces } from '../text/look-alikes.ts';
import { findByAnchors, findBySimilarity } from './similarity.ts';
import { asLineEdit, type Edit, lineMatch, type Match, type Strategy } from './strategy.ts';

/** The nine strategies in the order they are tried (tools spec 3.3). */
export const STRATEGIES: readonly Strategy[] = [
  { name: 'exact', bySimilarity: false, find: findExact },
  { name: 'line_trimmed', bySimilarity: false, find: (file, edit) => findLines(file, edit, (line) => line.trim()) },
  { name: 'whitespace_collapsed', bySimilarity: false, find: findCollapsed },
  { name: 'indentation_ignored', bySimilarity: false, find: (file, edit) => findLines(file, edit, withoutIndentation) },
  { name: 'escapes_normalized', bySimilarity: false, find: findUnescaped },
  { name: 'boundary_trimmed', bySimilarity: false, find: findTrimmed },
  { name: 'unicode_folded', bySimilarity: false, find: findLookAlikes },
  { name: 'block_anchor', bySimilarity: true, find: findByAnchors },
  { name: 'line_similarity', bySimilarity: true, find: findBySimilarity },
];

function findExact(file: FileText, edit: Edit): Match {
  return plainMatch(edit, occurrences(file, edit.oldText, edit.wholeLines));
}

function plainMatch(edit: Edit, spans: readonly Span[]): Match {
  return { spans, oldText: edit.oldText, newTextFor: () => edit.newText };
}

/** Every place of `wanted` in the file's LF text, overlapping ones too. */
export function occurrences(file: FileText, wanted: string, wholeLines = false): Span[] {
  const spans: Span[] = [];
  if (wanted === '') return spans;
  for (let at = file.text.indexOf(wanted); at >= 0; at = file.text.indexOf(wanted, at + 1)) {
    if (!wholeLines || file.startsLine(at)) spans.push({ start: at, end: at + wanted.length });
  }
  return spans;
}

function findLines(file: FileText, edit: Edit, key: (line: string) => string): Match {
  const lineEdit = asLineEdit(edit);
  return lineMatch(file, lineEdit, indexesOf(file.lines.map(key), lineEdit.lines.map(key)));
}

function indexesOf(lines: readonly string[], wanted: readonly string[]): number[] {
  const indexes: number[] = [];
  for (let at = lines.indexOf(wanted[0] ?? ''); at >= 0; at = lines.indexOf(wanted[0] ?? '', at + 1)) {
    if (at + wanted.length <= lines.length && wanted.every((line, index) => lines[at + index] === line))
      indexes.push(at);
  }
  return indexes;
}

/** Trimming alone is tried before; here the spacing inside a line may differ as well. */
function withoutIndentation(line: string): string {
  const trimmed = line.trim();
  return /\t| {2}/.test(trimmed) ? trimmed.replaceAll(/[ \t]+/g, ' ') : trimmed;
}

function findCollapsed(file: FileText, edit: Edit): Match {
  const wanted = writeSingleSpaces(edit.oldText);
  if (!writeSingleSpaces(file.text).includes(wanted)) return plainMatch(edit, []);
  return plainMatch(edit, foldedOccurrences(file, collapseSpaces(file.text), wanted, edit));
}

/** Long dashes are typed as two hyphens or as one: both are tried. */
function findLookAlikes(file: FileText, edit: Edit): Match {
  if (!hasLookAlike(file.text) && !hasLookAlike(edit.oldText)) return plainMatch(edit, []);
  for (const longDash of ['--', '-'] as const) {
    const wanted = writeAscii(edit.oldText, longDash);
    if (!file.ascii(longDash).includes(wanted)) continue;
    const spans = foldedOccurrences(file, foldLookAlikes(file.text, longDash), wanted, edit);
    if (spans.length > 0) return plainMatch(edit, spans);
  }
  return plainMatch(edit, []);
}

function foldedOccurrences(file: FileText, folded: FoldedText, wanted: string, edit: Edit): Span[] {
  const spans: Span[] = [];
  for (let at = folded.text.indexOf(wanted); at >= 0; at = folded.text.indexOf(wanted, at + 1)) {
    const start = folded.toSource(at);
    const end = folded.toSource(at + wanted.length);
    if (start === undefined || end === undefined) continue;
    if (!edit.wholeLines || file.startsLine(start)) spans.push({ start, end });
  }
  return spans;
}

/** Texts that were escaped once too often: backslash-n and its kin written out. Quotes are left to the drift guard. */
function findUnescaped(file: FileText, edit: Edit): Match {
  const oldText = unescapeControls(edit.oldText, () => true);
  return {
    spans: oldText === edit.oldText ? [] : occurrences(file, oldText, edit.wholeLines),
    oldText,
    newTextFor: (region) => unescapeControls(edit.newText, (char) => region.includes(char)),
  };
}

function unescapeControls(text: string, isReal: (char: '\t' | '\r') => boolean): string {
  return text
    .replaceAll(/(?:\\r)?\\n/g, '\n')
    .replaceAll('\\t', isReal('\t') ? '\t' : '\\t')
    .replaceAll('\\r', isReal('\r') ? '\r' : '\\r');
}

/** Blank lines around the old text dropped, its first and last line compared trimmed. */
function findTrimmed(file: FileText, edit: Edit): Match {
  const lineEdit = asLineEdit({ oldText: withoutBlankEdges(edit.oldText), newText: withoutBlankEdges(edit.newText) });
  const { lines } = lineEdit;
  const first = lines[0]?.trim() ?? '';
  const last = lines.length - 1;
  const indexes: number[] = [];
  for (let at = 0; at + last < file.lines.length; at += 1) {
    if (file.lines[at]?.trim() !== first || file.lines[at + last]?.trim() !== lines[last]?.trim()) continue;
    if (lines.every((line, index) => index === 0 || index === last || file.lines[at + index] === line))
      indexes.push(at);
  }
  return lineMatch(file, lineEdit, indexes);
}

function withoutBlankEdges(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').replace(/(?:\n[ \t]*)+$/, '');
}
