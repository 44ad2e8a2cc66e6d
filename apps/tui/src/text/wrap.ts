import { type Line, PLAIN, plainText, type Span, type Style } from './style.ts';
import { cellWidth, graphemes, isPlain } from './width.ts';

/** Closing marks that must not start a line when text breaks between wide characters. */
const NEVER_FIRST = new Set(Array.from('，。、；：？！）】》」』”’…％,.;:?!)]}%'));

/** Opening marks that must not end a line. */
const NEVER_LAST = new Set(Array.from('（【《「『“‘([{'));

interface WrapOptions {
  /** Put before the first line, e.g. a bullet. */
  readonly first?: Line;
  /** Put before the other lines; as wide as `first`. */
  readonly rest?: Line;
}

/** The smallest piece a line never breaks inside: a word, a run of spaces, or one wide character. */
interface Atom {
  readonly text: string;
  readonly style: Style;
  readonly width: number;
  readonly kind: 'word' | 'space' | 'wide';
}

/**
 * Wraps styled text into lines of at most `width` columns: at spaces, between wide characters (Chinese, Japanese), and
 * inside a word only when it is longer than a line. Line feeds in the text are kept.
 *
 * @example
 * wrap([span('one two')], 4).map(plainText); // ['one', 'two']
 */
export function wrap(spans: Line, width: number, options: WrapOptions = {}): Line[] {
  const first = options.first ?? [];
  const rest = options.rest ?? first;
  const room = Math.max(1, width - cellWidth(plainText(rest)));
  const lines: Line[] = [];
  for (const paragraph of splitLines(spans)) {
    for (const line of wrapParagraph(paragraph, room)) lines.push([...(lines.length === 0 ? first : rest), ...line]);
  }
  return lines;
}

/** `wrap` for text of one look. */
export function wrapText(text: string, width: number, style: Style = PLAIN, options: WrapOptions = {}): Line[] {
  return wrap([{ text, style }], width, options);
}

function splitLines(spans: Line): Line[] {
  const lines: Span[][] = [[]];
  for (const { text, style } of spans) {
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ text: piece, style });
    }
  }
  return lines;
}

function wrapParagraph(spans: Line, width: number): Line[] {
  const only = spans[0];
  if (!only) return [[]];
  if (spans.length === 1 && isPlain(only.text) && only.text.length <= width) return [spans];
  const packer = new LinePacker(width);
  for (const chunk of unbreakableChunks(toAtoms(spans))) packer.add(chunk);
  return packer.finish();
}

function toAtoms(spans: Line): Atom[] {
  const atoms: Atom[] = [];
  for (const { text, style } of spans) {
    for (const piece of text.match(/ +|[^ ]+/g) ?? []) {
      if (piece.startsWith(' ')) atoms.push({ text: piece, style, width: piece.length, kind: 'space' });
      else if (isPlain(piece)) atoms.push({ text: piece, style, width: piece.length, kind: 'word' });
      else atoms.push(...mixedAtoms(piece, style));
    }
  }
  return atoms;
}

function mixedAtoms(piece: string, style: Style): Atom[] {
  const atoms: Atom[] = [];
  let word = '';
  const endWord = () => {
    if (word !== '') atoms.push({ text: word, style, width: cellWidth(word), kind: 'word' });
    word = '';
  };
  for (const grapheme of graphemes(piece)) {
    const width = cellWidth(grapheme);
    if (width < 2) {
      word += grapheme;
      continue;
    }
    endWord();
    atoms.push({ text: grapheme, style, width, kind: 'wide' });
  }
  endWord();
  return atoms;
}

/** Atoms that stay on one line: a word in several looks, a wide character with the mark that closes it. */
function unbreakableChunks(atoms: readonly Atom[]): Atom[][] {
  const chunks: Atom[][] = [];
  let previous: Atom | undefined;
  for (const atom of atoms) {
    const chunk = chunks.at(-1);
    if (chunk && previous && sticks(previous, atom)) chunk.push(atom);
    else chunks.push([atom]);
    previous = atom;
  }
  return chunks;
}

function sticks(previous: Atom, next: Atom): boolean {
  if (previous.kind === 'space' || next.kind === 'space') return false;
  if (previous.kind === 'word' && next.kind === 'word') return true;
  return NEVER_FIRST.has(next.text.charAt(0)) || NEVER_LAST.has(previous.text.slice(-1));
}

class LinePacker {
  readonly #width: number;
  readonly #lines: Line[] = [];
  #current: Span[] = [];
  #used = 0;

  constructor(width: number) {
    this.#width = width;
  }

  add(chunk: readonly Atom[]): void {
    const width = chunk.reduce((sum, atom) => sum + atom.width, 0);
    const isSpace = chunk[0]?.kind === 'space';
    if (this.#used + width > this.#width) {
      if (isSpace) {
        // A space at the break is the break; one at the start of a line is indentation and stays.
        if (this.#used > 0) this.#endLine();
        return;
      }
      if (this.#used > 0) this.#endLine();
    }
    if (width <= this.#width) for (const atom of chunk) this.#append(atom.text, atom.style, atom.width);
    else for (const atom of chunk) this.#addLong(atom);
  }

  finish(): Line[] {
    if (this.#current.length > 0 || this.#lines.length === 0) this.#endLine();
    return this.#lines;
  }

  #addLong(atom: Atom): void {
    for (const grapheme of graphemes(atom.text)) {
      const width = cellWidth(grapheme);
      if (this.#used + width > this.#width && this.#used > 0) this.#endLine();
      this.#append(grapheme, atom.style, width);
    }
  }

  #append(text: string, style: Style, width: number): void {
    const last = this.#current.at(-1);
    if (last && last.style === style) this.#current[this.#current.length - 1] = { text: last.text + text, style };
    else this.#current.push({ text, style });
    this.#used += width;
  }

  #endLine(): void {
    const last = this.#current.at(-1);
    if (last && last.text.endsWith(' ') && this.#current.length > 0) {
      this.#current[this.#current.length - 1] = { text: last.text.trimEnd(), style: last.style };
    }
    this.#lines.push(this.#current);
    this.#current = [];
    this.#used = 0;
  }
}
