/** A piece of an answer, told apart by channel. */
export interface Piece {
  readonly channel: 'text' | 'reasoning';
  readonly text: string;
}

const OPENING = /(^|\n)[ \t]*<(think|thinking|thought|reasoning)>/;
const MAX_TAG = '<thinking>'.length;

/**
 * Splits reasoning that a model writes inline as `<think>…</think>` from its answer, piece by piece, also where a tag is cut
 * by the border of two pieces. An opening tag counts only at the start of a line, so that prose may speak of one.
 * Source: turn engine spec 13, "Streaming accumulator".
 *
 * @example
 * const splitter = new ThinkingSplitter();
 * splitter.push('<think>hm</th'); // [{ channel: 'reasoning', text: 'hm' }]
 * splitter.push('ink>\n\nYes'); // [{ channel: 'text', text: 'Yes' }]
 */
export class ThinkingSplitter {
  /** Text that may be the beginning of a tag. */
  #held = '';
  #closing: string | undefined;
  /** Whether what comes next stands at the start of a line. */
  #lineStart = true;
  /** Blank lines between the reasoning and the answer belong to neither. */
  #skipBlank = false;

  push(text: string): Piece[] {
    const pieces: Piece[] = [];
    let rest: string | undefined = this.#held + text;
    this.#held = '';
    while (rest !== undefined && rest !== '') {
      rest = this.#closing === undefined ? this.#outside(rest, pieces) : this.#inside(rest, this.#closing, pieces);
    }
    return pieces;
  }

  /** The stream is over: what was held back is text after all. */
  end(): Piece[] {
    const pieces: Piece[] = [];
    const held = this.#held;
    this.#held = '';
    this.#emit(this.#closing === undefined ? 'text' : 'reasoning', held, pieces);
    return pieces;
  }

  #outside(text: string, pieces: Piece[]): string | undefined {
    const tag = this.#findOpening(text);
    if (tag !== undefined) {
      this.#emit('text', text.slice(0, tag.at), pieces);
      this.#closing = `</${tag.name}>`;
      return text.slice(tag.end);
    }
    const held = possibleOpening(text, this.#lineStart);
    this.#emit('text', text.slice(0, text.length - held), pieces);
    this.#held = text.slice(text.length - held);
    return undefined;
  }

  #inside(text: string, closing: string, pieces: Piece[]): string | undefined {
    const at = text.indexOf(closing);
    if (at >= 0) {
      this.#emit('reasoning', text.slice(0, at), pieces);
      this.#closing = undefined;
      this.#lineStart = true;
      this.#skipBlank = true;
      return text.slice(at + closing.length);
    }
    const held = sharedEnd(text, closing);
    this.#emit('reasoning', text.slice(0, text.length - held), pieces);
    this.#held = text.slice(text.length - held);
    return undefined;
  }

  #findOpening(text: string) {
    const found = OPENING.exec(this.#lineStart ? text : `.${text}`);
    if (found === null) return undefined;
    const [whole, before = '', name = ''] = found;
    const at = found.index - (this.#lineStart ? 0 : 1);
    return { at: at + before.length, end: at + whole.length, name };
  }

  #emit(channel: Piece['channel'], text: string, pieces: Piece[]): void {
    const clean = channel === 'text' && this.#skipBlank ? text.trimStart() : text;
    if (clean === '') return;
    if (channel === 'text') {
      this.#skipBlank = false;
      this.#lineStart = clean.endsWith('\n');
    }
    pieces.push({ channel, text: clean });
  }
}

/** Length of an end of the text that may grow into an opening tag at the start of a line. */
function possibleOpening(text: string, lineStart: boolean): number {
  const line = text.lastIndexOf('\n') + 1;
  if (line === 0 && !lineStart) return 0;
  const end = text.slice(line);
  return /^[ \t]*(<[a-z]*)?$/.test(end) && end.trimStart().length < MAX_TAG && end.length < 2 * MAX_TAG
    ? end.length
    : 0;
}

/** Length of the longest end of `text` that `tag` begins with. */
function sharedEnd(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}
