import { type RefusalReason, type ReplaceRefusal, replaceText } from '../replace/replace-text.ts';
import { STRATEGIES } from '../replace/strategies.ts';
import type { StrategyName } from '../replace/strategy.ts';
import { commonLineEnd, type Span } from '../text/file-lines.ts';
import { looseKey } from '../text/look-alikes.ts';
import type { Hunk } from './patch-operation.ts';

/** What became of a text under its hunks. `problems` is empty exactly when all of them were applied. */
export interface HunksResult {
  readonly text: string;
  readonly problems: readonly string[];
  /** The loosest strategy any hunk needed; undefined when every hunk stood there already. */
  readonly strategy: StrategyName | undefined;
  /** Hunks whose result stood in the file before. */
  readonly alreadyApplied: number;
}

/** A text under work, which always ends its last line; `changed` are the stretches earlier hunks wrote. */
interface Draft {
  readonly text: string;
  readonly changed: readonly Span[];
  readonly strategy?: StrategyName;
  readonly applied?: boolean;
}

type Step = Draft | { readonly problem: string };

/** Applies hunks in order, each to what the ones before it left. The file keeps whether its last line has an end. */
export function applyHunks(source: string, hunks: readonly Hunk[]): HunksResult {
  const lineEnd = commonLineEnd(source) ?? '\n';
  const unended = source !== '' && !source.endsWith('\n');
  let draft: Draft = { text: unended ? source + lineEnd : source, changed: [] };
  const problems: string[] = [];
  const used: StrategyName[] = [];
  let alreadyApplied = 0;
  for (const hunk of hunks) {
    const step = hunk.before.length === 0 ? insertLines(draft, hunk, lineEnd) : replaceLines(draft, hunk);
    if ('problem' in step) {
      problems.push(`hunk at patch line ${hunk.patchLine}: ${step.problem}`);
      continue;
    }
    draft = step;
    if (step.applied) alreadyApplied += 1;
    else used.push(step.strategy ?? 'exact');
  }
  const text = unended ? draft.text.replace(/\r?\n$/, '') : draft.text;
  return { text, problems, strategy: loosest(used), alreadyApplied };
}

/** Of several strategies the one tried last. */
export function loosest(used: readonly StrategyName[]): StrategyName | undefined {
  return STRATEGIES.findLast(({ name }) => used.includes(name))?.name;
}

function replaceLines(draft: Draft, hunk: Hunk): Step {
  const hint = findHint(draft.text, hunk.hints);
  const oldText = asText(hunk.before);
  const newText = asText(hunk.after);
  const nearLine = hint.lines.length > 0 ? { nearLine: hint.lines[0] ?? 0 } : {};
  const result = replaceText(draft.text, { oldText, newText, wholeLines: true, ...nearLine });
  if (result.kind === 'already_applied') return { text: draft.text, changed: draft.changed, applied: true };
  if (result.kind === 'refused') return { problem: explain(result, hint.missing) };
  const [span] = result.spans;
  if (!span) return { problem: MESSAGES.not_found };
  const replacedLength = draft.text.length - (result.text.length - (span.end - span.start));
  const replaced = { start: span.start, end: span.start + replacedLength };
  const core = changedCore(draft.text.slice(replaced.start, replaced.end), result.text.slice(span.start, span.end));
  const touched = { start: replaced.start + core.head, end: replaced.end - core.tail };
  if (draft.changed.some((other) => overlaps(other, touched))) {
    return { problem: 'it changes lines that an earlier hunk of this patch wrote. Merge the two hunks.' };
  }
  const shift = result.text.length - draft.text.length;
  const moved = draft.changed.map((other) => (other.start >= touched.end ? moveBy(other, shift) : other));
  return {
    text: result.text,
    changed: [...moved, { start: touched.start, end: touched.end + shift }],
    strategy: result.strategy,
  };
}

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** How many characters of whole lines at both ends two texts share. */
function changedCore(before: string, after: string): { readonly head: number; readonly tail: number } {
  const oldLines = before.split(/(?<=\n)/);
  const newLines = after.split(/(?<=\n)/);
  const most = Math.min(oldLines.length, newLines.length);
  let first = 0;
  while (first < most && oldLines[first] === newLines[first]) first += 1;
  let last = 0;
  while (last < most - first && oldLines.at(-1 - last) === newLines.at(-1 - last)) last += 1;
  return {
    head: oldLines.slice(0, first).join('').length,
    tail: last === 0 ? 0 : oldLines.slice(-last).join('').length,
  };
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

function moveBy(span: Span, shift: number): Span {
  return { start: span.start + shift, end: span.end + shift };
}

interface HintPlace {
  /** Zero-based lines the innermost hint stands on, below the outer ones. */
  readonly lines: readonly number[];
  /** The first hint that is nowhere. */
  readonly missing?: string;
}

function findHint(text: string, hints: readonly string[]): HintPlace {
  if (hints.length === 0) return { lines: [] };
  const keys = text.split('\n').map(looseKey);
  let from = 0;
  let lines: readonly number[] = [];
  for (const hint of hints) {
    lines = linesOfHint(keys, looseKey(hint), from);
    if (lines.length === 0) return { lines, missing: hint };
    from = (lines[0] ?? 0) + 1;
  }
  return { lines };
}

/** Whole lines first; else lines that hold the hint. */
function linesOfHint(keys: readonly string[], hint: string, from: number): number[] {
  const matching = (test: (key: string) => boolean): number[] =>
    keys.flatMap((key, index) => (index >= from && test(key) ? [index] : []));
  const whole = matching((key) => key === hint);
  return whole.length > 0 ? whole : matching((key) => key.includes(hint));
}

/** A hunk that only adds lines: below its hint, or at the end of the file. */
function insertLines(draft: Draft, hunk: Hunk, lineEnd: string): Step {
  const hint = findHint(draft.text, hunk.hints);
  if (hint.missing !== undefined) return { problem: `its hint "${hint.missing}" is not in the file.` };
  if (hint.lines.length > 1) {
    const places = hint.lines.slice(0, 5).map((line) => `L${line + 1}`);
    return {
      problem: `it only adds lines and its hint stands at ${places.join(', ')}. Add the line above the place as context.`,
    };
  }
  const [line] = hint.lines;
  const at = line === undefined ? draft.text.length : endOfLine(draft.text, line);
  const added = hunk.after.map((content) => content + lineEnd).join('');
  if (draft.text.startsWith(added, at) || (line === undefined && draft.text.endsWith(added))) {
    return { text: draft.text, changed: draft.changed, applied: true };
  }
  const moved = draft.changed.map((other) => (other.start >= at ? moveBy(other, added.length) : other));
  return {
    text: draft.text.slice(0, at) + added + draft.text.slice(at),
    changed: [...moved, { start: at, end: at + added.length }],
    strategy: 'exact',
  };
}

function endOfLine(text: string, line: number): number {
  let at = 0;
  for (let passed = 0; passed <= line; passed += 1) at = text.indexOf('\n', at) + 1 || text.length;
  return at;
}

const MESSAGES: Readonly<Record<RefusalReason, string>> = {
  empty: 'it has no lines to look for.',
  blank: 'its context is blank. Add a line of text as context, or a hint after "@@".',
  equal: 'it changes nothing.',
  not_found: 'its context is not in the file. Read the file again and copy the lines.',
  not_unique: 'its context stands at several places. Add context lines or a hint after "@@".',
  replace_all_by_similarity: 'its context is not in the file.',
  escape_drift: 'its quotes carry a backslash that the file does not have. Send them plain.',
  odd_indent: 'the file indents this place differently. Copy the tabs and spaces of the file.',
};

function explain(refusal: ReplaceRefusal, missingHint: string | undefined): string {
  const parts = [MESSAGES[refusal.reason]];
  if (missingHint !== undefined) parts.push(`Its hint "${missingHint}" is not in the file either.`);
  if (refusal.places) parts.push(refusal.places.join('; '));
  if (refusal.closest) parts.push(`Closest, from line ${refusal.closest.line}:\n${refusal.closest.diff}`);
  return parts.join(' ');
}
