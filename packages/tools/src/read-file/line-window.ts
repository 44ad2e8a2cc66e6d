/** Bytes of one character in UTF-8, at most. */
const BYTES_PER_CHAR = 4;

const LINE_FEED = 0x0a;

export interface WindowOptions {
  /** Number of the first line wanted, from 1. */
  readonly first: number;
  readonly count: number;
  /** Longer lines are cut. */
  readonly maxLineChars: number;
  /** When the kept text gets longer than this, no more is kept; lines are still counted. */
  readonly maxChars: number;
}

/**
 * Takes the UTF-8 bytes of a file piece by piece, keeps the wanted lines and counts all, so that a file of any size needs little
 * memory, also one without line ends.
 */
export class LineWindow {
  readonly lines: string[] = [];
  /** Characters of the kept lines. */
  chars = 0;
  /** Kept lines whose end was cut off. */
  cutLines = 0;
  /** Whether a kept line ends in CRLF. */
  crlf = false;
  /** Whether some bytes of the kept lines were no valid UTF-8. */
  invalid = false;
  readonly #options: WindowOptions;
  #line = 1;
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #lineIsOpen = false;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  get tooMuch(): boolean {
    return this.chars > this.#options.maxChars;
  }

  /** Lines seen; a last line without end counts. */
  get total(): number {
    return this.#lineIsOpen ? this.#line : this.#line - 1;
  }

  push(bytes: Uint8Array): void {
    let start = 0;
    while (start < bytes.length) {
      const end = bytes.indexOf(LINE_FEED, start);
      if (this.#isWanted()) this.#keep(bytes.subarray(start, end === -1 ? bytes.length : end));
      this.#lineIsOpen = true;
      if (end === -1) return;
      this.#endLine();
      start = end + 1;
    }
  }

  /** To be called once after the last piece. */
  finish(): void {
    if (this.#lineIsOpen && this.#isWanted()) this.#store(false);
  }

  #isWanted(): boolean {
    const { first, count } = this.#options;
    return this.#line >= first && this.#line < first + count && !this.tooMuch;
  }

  #keep(piece: Uint8Array): void {
    const room = (this.#options.maxLineChars + 1) * BYTES_PER_CHAR - this.#partBytes;
    if (room <= 0 || piece.length === 0) return;
    const kept = piece.slice(0, room);
    this.#parts.push(kept);
    this.#partBytes += kept.length;
  }

  #endLine(): void {
    if (this.#isWanted()) this.#store(true);
    this.#line += 1;
    this.#lineIsOpen = false;
  }

  #store(ended: boolean): void {
    let text = Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#partBytes = 0;
    if (ended && text.endsWith('\r')) {
      this.crlf = true;
      text = text.slice(0, -1);
    }
    const max = this.#options.maxLineChars;
    if (text.length > max) {
      text = `${text.slice(0, max).toWellFormed()}… [line cut at ${max} chars]`;
      this.cutLines += 1;
    } else if (text.includes('\uFFFD')) this.invalid = true;
    this.lines.push(text);
    this.chars += text.length + 1;
  }
}
