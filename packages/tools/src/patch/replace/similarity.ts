import { alignSequences } from '../text/align.ts';
import type { FileText } from '../text/file-lines.ts';
import { looseKey } from '../text/look-alikes.ts';
import { asLineEdit, type Edit, lineMatch, type Match } from './strategy.ts';

/** A region takes an edit only when it is at least so similar to the old text (tools spec 3.3). */
const FLOOR = 0.9;
/** Fewer lines than this have no inside between their anchors. */
const MIN_ANCHORED_LINES = 3;
/** A line that stands in the file more often says nothing about a place. */
const MAX_VOTES_PER_LINE = 500;
/** Lines longer than this are either equal or wholly different: measuring them costs their length squared. */
const MAX_MEASURED_CHARS = 2_000;
/** Below this the closest line helps nobody. */
const MIN_CLOSEST = 0.4;
const MAX_CLOSEST_CANDIDATES = 40;
const MAX_SHOWN_LINES = 12;
const MAX_SHOWN_CHARS = 160;

/** Regions whose first and last lines are those of the old text and whose inside resembles it. */
export function findByAnchors(file: FileText, edit: Edit): Match {
  const lineEdit = asLineEdit(edit);
  const wanted = lineEdit.lines.map(looseKey);
  const last = wanted.length - 1;
  if (wanted.length < MIN_ANCHORED_LINES) return lineMatch(file, lineEdit, []);
  const keys = file.looseLines;
  const indexes: number[] = [];
  for (let at = keys.indexOf(wanted[0] ?? ''); at >= 0; at = keys.indexOf(wanted[0] ?? '', at + 1)) {
    if (keys[at + last] === wanted[last] && resembles(wanted, keys.slice(at, at + wanted.length))) indexes.push(at);
  }
  return lineMatch(file, lineEdit, indexes);
}

/** Regions that share at least half of their lines with the old text and resemble it as a whole. */
export function findBySimilarity(file: FileText, edit: Edit): Match {
  const lineEdit = asLineEdit(edit);
  const wanted = lineEdit.lines.map(looseKey);
  const keys = file.looseLines;
  const indexes: number[] = [];
  for (const [at, votes] of votesByPlace(keys, wanted)) {
    if (at < 0 || at + wanted.length > keys.length || votes * 2 < wanted.length) continue;
    if (resembles(wanted, keys.slice(at, at + wanted.length))) indexes.push(at);
  }
  return lineMatch(
    file,
    lineEdit,
    indexes.sort((a, b) => a - b),
  );
}

/** For each place the old text could stand: how many of its lines that are not blank stand there. */
function votesByPlace(keys: readonly string[], wanted: readonly string[]): Map<number, number> {
  const places = new Map<string, number[]>(wanted.filter((key) => key !== '').map((key) => [key, []]));
  keys.forEach((key, index) => places.get(key)?.push(index));
  const votes = new Map<number, number>();
  wanted.forEach((key, index) => {
    const found = places.get(key) ?? [];
    if (found.length > MAX_VOTES_PER_LINE) return;
    for (const place of found) votes.set(place - index, (votes.get(place - index) ?? 0) + 1);
  });
  return votes;
}

/** Whether a region can be meant. A line with other numbers is a neighbour (`beta(9)`, `beta(2)`), not the same line with a slip. */
function resembles(wanted: readonly string[], found: readonly string[]): boolean {
  const sameNumbers = wanted.every((line, index) => numbersIn(line) === numbersIn(found[index] ?? ''));
  return sameNumbers && similarity(wanted, found) >= FLOOR;
}

function numbersIn(line: string): string {
  return (line.match(/\d+/g) ?? []).join(' ');
}

/** How alike two equally long lists of lines are: 1 − edit distance / length, from 0 to 1. */
function similarity(wanted: readonly string[], found: readonly string[]): number {
  let distance = 0;
  let length = 0;
  wanted.forEach((line, index) => {
    const other = found[index] ?? '';
    distance += editDistance(line, other);
    length += Math.max(line.length, other.length);
  });
  return length === 0 ? 1 : 1 - distance / length;
}

function editDistance(a: string, b: string): number {
  if (a === b) return 0;
  if (Math.max(a.length, b.length) > MAX_MEASURED_CHARS) return Math.max(a.length, b.length);
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The region of a file that resembles a text that was not found. */
export interface ClosestRegion {
  /** Its first line, from 1. */
  readonly line: number;
  /** A small diff: `-` only in the text that was looked for, `+` only in the file. */
  readonly diff: string;
}

/** The place most like `oldText`, judged by its longest line; undefined when nothing is near. */
export function closestRegion(file: FileText, oldText: string): ClosestRegion | undefined {
  const wanted = asLineEdit({ oldText, newText: '' }).lines;
  const keys = wanted.map(looseKey);
  const target = keys.reduce((longest, key) => (key.length > longest.length ? key : longest), '');
  const best = closestLine(file.lines, target);
  if (best === undefined) return undefined;
  const first = Math.max(0, best - keys.indexOf(target));
  const region = file.lines.slice(first, first + wanted.length);
  return { line: first + 1, diff: smallDiff(wanted, region) };
}

function closestLine(lines: readonly string[], target: string): number | undefined {
  const words = [...new Set(target.match(/[\p{L}\p{N}_]+/gu) ?? [])].sort((a, b) => b.length - a.length).slice(0, 8);
  const ranked = lines
    .map((line, index) => ({
      line,
      index,
      shared: words.reduce((sum, word) => sum + (line.includes(word) ? 1 : 0), 0),
    }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_CLOSEST_CANDIDATES)
    .map(({ line, index }) => ({ index, score: similarity([target], [looseKey(line)]) }))
    .sort((a, b) => b.score - a.score);
  const best = ranked[0];
  return best && best.score >= MIN_CLOSEST ? best.index : undefined;
}

function smallDiff(wanted: readonly string[], found: readonly string[]): string {
  const pairs = alignSequences(wanted, found);
  const rows: string[] = [];
  let next = 0;
  found.forEach((line, index) => {
    const pair = pairs[index] ?? -1;
    if (pair < 0) return void rows.push(`+${line}`);
    while (next < pair) rows.push(`-${wanted[next++] ?? ''}`);
    rows.push(` ${line}`);
    next = pair + 1;
  });
  while (next < wanted.length) rows.push(`-${wanted[next++] ?? ''}`);
  const shown = rows.slice(0, MAX_SHOWN_LINES).map((row) => row.slice(0, MAX_SHOWN_CHARS).toWellFormed());
  return (rows.length > shown.length ? [...shown, '…'] : shown).join('\n');
}
