import { FileText, type Span, withLineFeeds } from '../text/file-lines.ts';
import { buildReplacement } from './build-replacement.ts';
import { type ClosestRegion, closestRegion } from './similarity.ts';
import { occurrences, STRATEGIES } from './strategies.ts';
import type { Edit, Match, Strategy, StrategyName } from './strategy.ts';

/** Shorter new texts stand in a file by chance, so they prove nothing about an edit made before (tools spec 3.3). */
const MIN_APPLIED_CHARS = 8;
const MAX_PLACES = 5;
const MAX_SNIPPET_CHARS = 80;

export interface ReplaceRequest {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll?: boolean;
  /** Only places that begin where a line begins. */
  readonly wholeLines?: boolean;
  /** Of several places, the first at or after this zero-based line is meant. */
  readonly nearLine?: number;
}

export type RefusalReason =
  | 'empty'
  | 'blank'
  | 'equal'
  | 'not_found'
  | 'not_unique'
  | 'replace_all_by_similarity'
  | 'escape_drift'
  | 'odd_indent';

export interface ReplaceRefusal {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
  /** What is wrong and the way out. */
  readonly message: string;
  /** Up to five places as `L<line>: snippet`, when there are several. */
  readonly places?: readonly string[];
  readonly closest?: ClosestRegion;
}

/** Lines of the new text that an edit wrote, from 1, both inclusive. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface Replaced {
  readonly kind: 'replaced';
  readonly text: string;
  readonly strategy: StrategyName;
  readonly exact: boolean;
  readonly ranges: readonly LineRange[];
  /** Where the new parts stand in the new text. */
  readonly spans: readonly Span[];
}

/** The edit stands in the file already. */
export interface AlreadyApplied {
  readonly kind: 'already_applied';
  readonly line: number;
}

export type ReplaceResult = Replaced | AlreadyApplied | ReplaceRefusal;

/**
 * Replaces a text in a file's text by the nine strategies, strictest first (tools spec 3.3). Line ends of the request do not
 * matter: the file's own are kept, and nothing outside the found region changes.
 *
 * @example
 * replaceText('let a = 1;\r\n', { oldText: 'a = 1', newText: 'a = 2' });
 * // { kind: 'replaced', text: 'let a = 2;\r\n', strategy: 'exact', exact: true, … }
 */
export function replaceText(source: string, request: ReplaceRequest): ReplaceResult {
  const unusable = refuseRequest(request);
  if (unusable) return unusable;
  const file = new FileText(source);
  const edit = asEdit(request);
  const appliedInside = appliedAround(file, edit);
  if (appliedInside !== undefined) return { kind: 'already_applied', line: file.lineAt(appliedInside) + 1 };
  return findAndReplace(file, edit, request);
}

function asEdit(request: ReplaceRequest): Edit {
  return {
    oldText: withLineFeeds(request.oldText),
    newText: withLineFeeds(request.newText),
    wholeLines: request.wholeLines ?? false,
  };
}

function refuseRequest({ oldText, newText }: ReplaceRequest): ReplaceRefusal | undefined {
  if (oldText === '') {
    return refusal('empty', 'old_string is empty. Send the text to replace, or use write_file to write a whole file.');
  }
  if (oldText.trim() === '') {
    return refusal(
      'blank',
      'old_string holds only blanks, which stand everywhere. Include a neighbouring line of text.',
    );
  }
  if (withLineFeeds(oldText) === withLineFeeds(newText)) {
    return refusal('equal', 'old_string and new_string are the same, so nothing would change. Send the changed text.');
  }
  return undefined;
}

function refusal(reason: RefusalReason, message: string): ReplaceRefusal {
  return { kind: 'refused', reason, message };
}

/** Where an edit that keeps its old text stands already: every old text is part of a new one. */
function appliedAround(file: FileText, { oldText, newText }: Edit): number | undefined {
  if (newText.length < MIN_APPLIED_CHARS || !newText.includes(oldText)) return undefined;
  const applied = occurrences(file, newText);
  const left = occurrences(file, oldText).filter((old) => !applied.some((span) => contains(span, old)));
  return left.length === 0 ? applied[0]?.start : undefined;
}

function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function findAndReplace(file: FileText, edit: Edit, request: ReplaceRequest): ReplaceResult {
  for (const strategy of STRATEGIES) {
    const applied = strategy.bySimilarity ? appliedPlace(file, edit) : undefined;
    if (applied !== undefined) return { kind: 'already_applied', line: file.lineAt(applied) + 1 };
    const drifted = strategy.bySimilarity ? refuseEscapedQuotes(file, edit) : undefined;
    if (drifted) return drifted;
    const match = strategy.find(file, edit);
    if (match.spans.length === 0) continue;
    const rewritten = strategy.name === 'exact' ? undefined : appliedOver(file, edit, match.spans);
    if (rewritten !== undefined) return { kind: 'already_applied', line: file.lineAt(rewritten) + 1 };
    return applyMatch(file, strategy, match, edit, request);
  }
  return notFound(file, edit);
}

function appliedPlace(file: FileText, { newText }: Edit): number | undefined {
  return newText.length < MIN_APPLIED_CHARS ? undefined : occurrences(file, newText)[0]?.start;
}

/** A loose hit on what the edit itself left behind (a change of spaces or quotes sent twice). */
function appliedOver(file: FileText, { newText }: Edit, spans: readonly Span[]): number | undefined {
  if (newText.length < MIN_APPLIED_CHARS) return undefined;
  const applied = occurrences(file, newText);
  const left = spans.filter((span) => !applied.some((other) => other.start < span.end && span.start < other.end));
  return left.length === 0 ? applied[0]?.start : undefined;
}

function applyMatch(
  file: FileText,
  strategy: Strategy,
  match: Match,
  edit: Edit,
  request: ReplaceRequest,
): ReplaceResult {
  if (strategy.bySimilarity && request.replaceAll) {
    return {
      ...refusal(
        'replace_all_by_similarity',
        'old_string is not in the file; what resembles it is never replaced everywhere. Copy the text as read_file shows it.',
      ),
      places: placesOf(file, match.spans),
    };
  }
  const spans = choose(file, match.spans, request);
  if (!spans) return notUnique(file, match.spans);
  if (strategy.name !== 'exact') {
    const drifted = refuseDrift(file, edit, spans);
    if (drifted) return drifted;
  }
  const result = splice(file, spans, match, strategy);
  // A loose hit may leave nothing to change, as when only blank lines around the text differ.
  return result.kind === 'replaced' && result.text === file.source ? notFound(file, edit) : result;
}

/** The places that are meant; undefined when the request leaves it open. */
function choose(file: FileText, spans: readonly Span[], request: ReplaceRequest): readonly Span[] | undefined {
  if (request.replaceAll) return withoutOverlaps(spans);
  const { nearLine } = request;
  if (nearLine !== undefined) {
    const near = spans.find((span) => file.lineAt(span.start) >= nearLine);
    if (near) return [near];
  }
  if (spans.length === 1) return spans;
  // Line ends may tell two places apart when the request was copied with its own.
  const literal = spans.filter((span) => file.sourceSlice(span) === request.oldText);
  return literal.length === 1 ? literal : undefined;
}

function withoutOverlaps(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = [];
  for (const span of spans) {
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  }
  return kept;
}

function splice(file: FileText, spans: readonly Span[], match: Match, strategy: Strategy): ReplaceResult {
  const exact = strategy.name === 'exact';
  const written: Span[] = [];
  let text = '';
  let copied = 0;
  for (const span of spans) {
    const replacement = buildReplacement(file, span, match, exact);
    if ('oddIndent' in replacement) return refuseIndent(file, span, replacement.oddIndent);
    const { start, end } = file.sourceSpan(span);
    text += file.source.slice(copied, start);
    written.push({ start: text.length, end: text.length + replacement.text.length });
    text += replacement.text;
    copied = end;
  }
  text += file.source.slice(copied);
  return { kind: 'replaced', text, strategy: strategy.name, exact, ranges: lineRanges(text, written), spans: written };
}

function lineRanges(text: string, spans: readonly Span[]): LineRange[] {
  let line = 1;
  let counted = 0;
  const advance = (offset: number): number => {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
    counted = Math.max(counted, offset);
    return line;
  };
  return spans.map(({ start, end }) => {
    const first = advance(start);
    return { first, last: advance(end > start && text[end - 1] === '\n' ? end - 1 : end) };
  });
}

function placesOf(file: FileText, spans: readonly Span[]): string[] {
  return spans.slice(0, MAX_PLACES).map((span) => {
    const line = file.lineAt(span.start);
    return `L${line + 1}: ${(file.lines[line] ?? '').trim().slice(0, MAX_SNIPPET_CHARS).toWellFormed()}`;
  });
}

function notUnique(file: FileText, spans: readonly Span[]): ReplaceRefusal {
  const message = `old_string stands at ${spans.length} places. Add neighbouring lines until it is unique, or set replace_all to change every one.`;
  return { ...refusal('not_unique', message), places: placesOf(file, spans) };
}

function notFound(file: FileText, { oldText }: Edit): ReplaceRefusal {
  const closest = closestRegion(file, oldText);
  const numbered = oldText.split('\n').every((line) => /^\s*\d+\|/.test(line) || line === '');
  const advice = numbered
    ? 'It carries the line numbers read_file adds; leave them out.'
    : 'Copy the text as read_file shows it, without line numbers.';
  return { ...refusal('not_found', `old_string is not in the file. ${advice}`), ...(closest && { closest }) };
}

const ESCAPED_QUOTES = ['\\"', "\\'"] as const;

/** Both texts escape quotes that the region does not escape: one layer of escaping too many (tools spec 3.3). */
function refuseDrift(file: FileText, edit: Edit, spans: readonly Span[]): ReplaceRefusal | undefined {
  const regions = spans.map((span) => file.text.slice(span.start, span.end));
  const drifted = ESCAPED_QUOTES.some(
    (quote) =>
      edit.oldText.includes(quote) && edit.newText.includes(quote) && !regions.some((text) => text.includes(quote)),
  );
  return drifted ? escapeDrift(file, spans) : undefined;
}

function refuseEscapedQuotes(file: FileText, edit: Edit): ReplaceRefusal | undefined {
  const plain = edit.oldText.replaceAll(/\\(["'])/g, '$1');
  const spans = plain === edit.oldText ? [] : occurrences(file, plain);
  return spans.length > 0 ? escapeDrift(file, spans) : undefined;
}

function escapeDrift(file: FileText, spans: readonly Span[]): ReplaceRefusal {
  const message =
    'old_string has a backslash before its quotes; the file has plain quotes there. Send both texts with one layer of escaping less.';
  return { ...refusal('escape_drift', message), places: placesOf(file, spans) };
}

function refuseIndent(file: FileText, span: Span, line: string): ReplaceRefusal {
  const shown = line.trim().slice(0, MAX_SNIPPET_CHARS).toWellFormed();
  const message = `The file indents this place differently and the indentation of "${shown}" cannot be translated. Copy old_string with the file's own tabs and spaces.`;
  return { ...refusal('odd_indent', message), places: placesOf(file, [span]) };
}
