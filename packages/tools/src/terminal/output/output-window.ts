/** Characters of a command's output that the model may see (tools spec 3.2). */
export const MAX_OUTPUT_CHARS = 50_000;

/** Share of it that comes from the beginning; the rest is the end. */
const HEAD_SHARE = 0.4;

/** Room that the notice about what is left out may take. */
const NOTICE_CHARS = 120;

/**
 * Keeps the beginning and the end of a text of any length in bounded memory.
 *
 * @example
 * const window = new OutputWindow();
 * window.write('a line\n');
 * window.text(); // 'a line\n'
 */
export class OutputWindow {
  readonly #maxHead: number;
  readonly #maxTail: number;
  readonly #max: number;
  #head = '';
  #tail: string[] = [];
  #tailChars = 0;
  #totalChars = 0;
  #lineEnds = 0;
  #lastChar = '';

  constructor(maxChars = MAX_OUTPUT_CHARS) {
    this.#max = maxChars;
    this.#maxHead = Math.floor(maxChars * HEAD_SHARE);
    this.#maxTail = maxChars - this.#maxHead;
  }

  get totalChars(): number {
    return this.#totalChars;
  }

  /** Lines written; a last line without an end counts. */
  get lines(): number {
    return this.#lineEnds + (this.#lastChar === '' || this.#lastChar === '\n' ? 0 : 1);
  }

  write(text: string): void {
    if (text === '') return;
    this.#totalChars += text.length;
    this.#lastChar = text.charAt(text.length - 1);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#lineEnds++;
    const room = this.#maxHead - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    if (room < text.length) this.#keepTail(room > 0 ? text.slice(room) : text);
  }

  /** The whole text when it fits, else its beginning and end around a notice; never longer than the limit. */
  text(): string {
    const tail = this.#tail.join('');
    if (this.#totalChars <= this.#max) return (this.#head + tail).toWellFormed();
    const visible = this.#max - NOTICE_CHARS;
    const headChars = Math.floor(visible * HEAD_SHARE);
    const head = this.#head.slice(0, headChars).toWellFormed();
    const end = tail.slice(headChars - visible).toWellFormed();
    const omitted = this.#totalChars - visible;
    return `${head}\n\n[… ${omitted} of ${this.#totalChars} characters left out here …]\n\n${end}`;
  }

  /** The last `count` lines, for a live display. */
  lastLines(count: number): string {
    let recent = '';
    for (let at = this.#tail.length - 1; at >= 0 && lineEnds(recent) <= count; at--)
      recent = (this.#tail[at] ?? '') + recent;
    if (lineEnds(recent) <= count) recent = this.#head.slice(-this.#maxHead) + recent;
    const lines = recent.replace(/\n$/u, '').split('\n');
    return lines.slice(-count).join('\n');
  }

  #keepTail(text: string): void {
    if (text.length >= this.#maxTail) {
      this.#tail = [text.slice(-this.#maxTail)];
      this.#tailChars = this.#maxTail;
      return;
    }
    this.#tail.push(text);
    this.#tailChars += text.length;
    if (this.#tailChars < 2 * this.#maxTail) return;
    this.#tail = [this.#tail.join('').slice(-this.#maxTail)];
    this.#tailChars = this.#maxTail;
  }
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
