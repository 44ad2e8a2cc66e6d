import { alignSequences } from '../text/align.ts';
import { commonLineEnd, type FileText, type Span } from '../text/file-lines.ts';
import { foldLoosely } from '../text/look-alikes.ts';
import { indentOf, learnIndentation, type Reindent } from './reindent.ts';
import type { Match } from './strategy.ts';

/** What replaces a region, or why the new text cannot be fitted in: an indentation nobody can translate. */
export type Replacement = { readonly text: string } | { readonly oddIndent: string };

/** A line of the file with its own line end. */
interface FileLine {
  readonly content: string;
  readonly end: string;
}

/**
 * Builds the text that takes a region's place. Lines the edit does not change are the file's own, byte for byte; changed lines get
 * the file's line end and, on a hit that is not exact, its indentation and its typographic characters.
 */
export function buildReplacement(file: FileText, span: Span, match: Match, exact: boolean): Replacement {
  const region = file.text.slice(span.start, span.end);
  const source = file.sourceSlice(span);
  const lineEnd = commonLineEnd(source) ?? commonLineEnd(file.source) ?? '\n';
  const newText = match.newTextFor(region);
  if (exact && !hasMixedEnds(source)) return { text: newText.replaceAll('\n', lineEnd) };

  const fileLines = splitLines(source);
  const oldText = match.oldText.endsWith('\n') && !region.endsWith('\n') ? match.oldText.slice(0, -1) : match.oldText;
  const oldLines = oldText.split('\n');
  const newLines = newText.split('\n').map((line) => (exact ? line : withRealTabs(line, region)));
  const pairs = alignSequences(oldLines, newLines);
  const fit = exact ? undefined : new LineFitter(oldLines, fileLines, file.startsLine(span.start));

  let text = '';
  for (const [index, line] of newLines.entries()) {
    const kept = fileLines[pairs[index] ?? -1];
    const content = kept?.content ?? (fit ? fit.fit(line, index, partner(oldLines, pairs, index, line)) : line);
    if (content === undefined) return { oddIndent: line };
    text += content + (index < newLines.length - 1 ? kept?.end || lineEnd : '');
  }
  return { text };
}

function hasMixedEnds(source: string): boolean {
  return source.includes('\r\n') && /(?<!\r)\n/.test(source);
}

function splitLines(source: string): FileLine[] {
  const parts = source.split(/(\r\n|\n)/);
  const lines: FileLine[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    lines.push({ content: parts[index] ?? '', end: parts[index + 1] ?? '' });
  }
  return lines;
}

/** Written-out tabs before a line become real ones where the region has real ones (tools spec 3.3, control characters). */
function withRealTabs(line: string, region: string): string {
  if (!region.includes('\t') || region.includes('\\t')) return line;
  return line.replace(/^[ \t]*(?:\\t)+/, (lead) => lead.replaceAll('\\t', '\t'));
}

/** The old line a changed line stands for: of those the edit drops at this place, the one that shares most words. */
function partner(
  oldLines: readonly string[],
  pairs: readonly number[],
  index: number,
  line: string,
): number | undefined {
  const before = pairs.slice(0, index).findLast((pair) => pair >= 0) ?? -1;
  const after = pairs.slice(index).find((pair) => pair >= 0) ?? oldLines.length;
  const words = new Set(tokens(line));
  let best: number | undefined;
  let bestShare = 0.5;
  for (let old = before + 1; old < after; old += 1) {
    const own = tokens(oldLines[old] ?? '');
    const share = own.filter((token) => words.has(token)).length / Math.max(own.length, words.size, 1);
    if (share >= bestShare) {
      best = old;
      bestShare = share;
    }
  }
  return best;
}

/** Words, runs of blanks, and runs of one other character. */
function tokens(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|([^\p{L}\p{N}_\s])\1*/gu) ?? [];
}

/** Fits changed lines into a region that was not sent exactly as it stands in the file. */
class LineFitter {
  readonly #oldLines: readonly string[];
  readonly #fileLines: readonly FileLine[];
  readonly #fromLineStart: boolean;
  readonly #reindent: Reindent;

  constructor(oldLines: readonly string[], fileLines: readonly FileLine[], fromLineStart: boolean) {
    this.#oldLines = oldLines;
    this.#fileLines = fileLines;
    this.#fromLineStart = fromLineStart;
    this.#reindent = learnIndentation(
      oldLines.flatMap((line, index) => {
        const own = fileLines[index]?.content ?? '';
        if (line.trim() === '' || own.trim() === '' || (index === 0 && !fromLineStart)) return [];
        return [{ sent: indentOf(line), file: indentOf(own) }];
      }),
    );
  }

  /** The line as it goes into the file; undefined when its indentation cannot be translated. */
  fit(line: string, index: number, old: number | undefined): string | undefined {
    if (line.trim() === '') return line;
    const indent = this.#indent(indentOf(line), index, old);
    if (indent === undefined) return undefined;
    const body = line.slice(indentOf(line).length);
    if (old === undefined) return indent + body;
    return (
      indent + carryCharacters(withoutIndent(this.#oldLines[old]), withoutIndent(this.#fileLines[old]?.content), body)
    );
  }

  #indent(sent: string, index: number, old: number | undefined): string | undefined {
    if (index === 0 && !this.#fromLineStart) return sent;
    const like = old ?? (index === 0 ? 0 : undefined);
    const own = this.#fileLines[like ?? -1]?.content;
    if (like !== undefined && own !== undefined && sent === indentOf(this.#oldLines[like] ?? '')) return indentOf(own);
    return this.#reindent(sent);
  }
}

function withoutIndent(line = ''): string {
  return line.slice(indentOf(line).length);
}

/** `changed` with the file's own characters wherever it says the same as `old` did. */
function carryCharacters(old: string, own: string, changed: string): string {
  const foldedOld = foldLoosely(old);
  const foldedOwn = foldLoosely(own);
  if (old === own || foldedOld.text !== foldedOwn.text) return changed;
  const oldTokens = tokens(old);
  const starts: number[] = [];
  let start = 0;
  for (const token of oldTokens) {
    starts.push(start);
    start += token.length;
  }
  const place = (offset: number): number | undefined => {
    const folded = foldedOld.fromSource(offset);
    return folded === undefined ? undefined : foldedOwn.toSource(folded);
  };
  const changedTokens = tokens(changed);
  return alignSequences(oldTokens, changedTokens)
    .map((pair, index) => {
      const token = changedTokens[index] ?? '';
      const begin = starts[pair];
      if (begin === undefined) return token;
      const from = place(begin);
      const to = place(begin + token.length);
      return from === undefined || to === undefined ? token : own.slice(from, to);
    })
    .join('');
}
