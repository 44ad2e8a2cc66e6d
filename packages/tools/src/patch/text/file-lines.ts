import { type FoldedText, foldText } from './folded-text.ts';
import { looseLines, writeAsciiButLongDashes, writeLongDashes } from './look-alikes.ts';

/** A stretch of text, end exclusive, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Any text with LF line ends. */
export function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** A file's text as it is searched: with LF line ends, cut in lines, and every place traceable to the file's own text. */
export class FileText {
  readonly source: string;
  readonly text: string;
  readonly #folded: FoldedText;
  #lines: readonly string[] | undefined;
  #starts: readonly number[] | undefined;
  #almostAscii: string | undefined;
  #looseLines: readonly string[] | undefined;

  constructor(source: string) {
    this.source = source;
    this.#folded = foldText(source, /\r\n/g, () => '\n');
    this.text = this.#folded.text;
  }

  /** Lines without their ends; the last one is empty when the file ends with a line end. */
  get lines(): readonly string[] {
    this.#lines ??= this.text.split('\n');
    return this.#lines;
  }

  /** The text with look-alikes as ASCII, see `writeAscii`. */
  ascii(longDash: '-' | '--'): string {
    this.#almostAscii ??= writeAsciiButLongDashes(this.text);
    return writeLongDashes(this.#almostAscii, longDash);
  }

  /** The lines as they are compared when only their meaning counts, see `looseLines`. */
  get looseLines(): readonly string[] {
    this.#looseLines ??= looseLines(this.ascii('-'));
    return this.#looseLines;
  }

  get #lineStarts(): readonly number[] {
    if (!this.#starts) {
      let start = 0;
      this.#starts = this.lines.map((line) => {
        const here = start;
        start += line.length + 1;
        return here;
      });
    }
    return this.#starts;
  }

  /** The span of `count` whole lines from `index`, with the last line end when `withEnd` and the file has one. */
  lineSpan(index: number, count: number, withEnd: boolean): Span {
    const last = index + count - 1;
    const end = (this.#lineStarts[last] ?? 0) + (this.lines[last]?.length ?? 0);
    return { start: this.#lineStarts[index] ?? 0, end: withEnd && end < this.text.length ? end + 1 : end };
  }

  /** The zero-based line that holds an offset. */
  lineAt(offset: number): number {
    const starts = this.#lineStarts;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  startsLine(offset: number): boolean {
    return offset === 0 || this.text[offset - 1] === '\n';
  }

  /** The same stretch in the file's own text. A CRLF is never cut. */
  sourceSpan(span: Span): Span {
    return {
      start: this.#folded.toSource(span.start) ?? span.start,
      end: this.#folded.toSource(span.end) ?? span.end,
    };
  }

  sourceSlice(span: Span): string {
    const { start, end } = this.sourceSpan(span);
    return this.source.slice(start, end);
  }
}

/** The line end most lines of the text have; undefined when it has only one line. */
export function commonLineEnd(text: string): '\n' | '\r\n' | undefined {
  let crlf = 0;
  let all = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all += 1;
    if (text[at - 1] === '\r') crlf += 1;
  }
  if (all === 0) return undefined;
  return crlf * 2 > all ? '\r\n' : '\n';
}
