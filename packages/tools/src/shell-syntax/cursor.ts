import { MalformedScript, type Redirection, type Script } from './script.ts';

/** Brackets, substitutions and compound commands nested deeper than this are not followed. */
const MAX_NESTING = 100;

/** Characters that may be read again while the meaning of a bracket is found out; no real script comes near. */
const MAX_REREAD_CHARS = 5_000_000;

/** What all cursors of one text share. */
interface Effort {
  nesting: number;
  rereadChars: number;
}

/** A here-document whose body begins after the next line end. */
export interface PendingHeredoc {
  readonly redirection: Redirection;
  readonly delimiter: string;
  readonly stripTabs: boolean;
  readonly expands: boolean;
}

/** How nested scripts are read; given to the word reader so that words and scripts may contain each other. */
export type ReadNested = (cursor: Cursor, closer: ')' | '') => Script;

/** A place in a shell text, with what the rest of the line still owes. */
export class Cursor {
  readonly text: string;
  /** It reads the inside of a substitution. */
  readonly nested: boolean;
  readonly readNested: ReadNested;
  position = 0;
  heredocs: PendingHeredoc[] = [];
  readonly #effort: Effort;

  constructor(text: string, readNested: ReadNested, outer?: Cursor) {
    this.text = text;
    this.nested = outer !== undefined;
    this.readNested = readNested;
    this.#effort = outer ? outer.#effort : { nesting: 0, rereadChars: 0 };
  }

  /** Does `work` one level deeper; throws beyond a depth or an effort that no real script needs. */
  deeper<Result>(work: () => Result): Result {
    const effort = this.#effort;
    if (effort.nesting >= MAX_NESTING) throw new MalformedScript('it is nested too deeply');
    const start = this.position;
    effort.nesting++;
    const result = work();
    effort.nesting--;
    effort.rereadChars += Math.max(0, this.position - start);
    if (effort.rereadChars > MAX_REREAD_CHARS) throw new MalformedScript('it is too complex');
    return result;
  }

  get done(): boolean {
    return this.position >= this.text.length;
  }

  get char(): string {
    return this.text.charAt(this.position);
  }

  ahead(offset: number): string {
    return this.text.charAt(this.position + offset);
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.position);
  }

  take(length: number): string {
    const taken = this.text.slice(this.position, this.position + length);
    this.position += length;
    return taken;
  }

  /** Everything before the next `end`, which is consumed; throws when it never comes. */
  takeThrough(end: string, what: string): string {
    const at = this.text.indexOf(end, this.position);
    if (at < 0) throw new MalformedScript(`${what} is never closed`);
    const taken = this.text.slice(this.position, at);
    this.position = at + end.length;
    return taken;
  }

  /** A script inside this one, written in `text` (backticks, here-documents). */
  nestedIn(text: string): Cursor {
    return new Cursor(text, this.readNested, this);
  }

  /** Skips blanks, joined lines and, at the start of a word, a comment. */
  skipBlanks(): void {
    for (;;) {
      if (this.char === ' ' || this.char === '\t' || this.char === '\r') this.position++;
      else if (this.startsWith('\\\n')) this.position += 2;
      else break;
    }
    if (this.char !== '#') return;
    const end = this.text.indexOf('\n', this.position);
    this.position = end < 0 ? this.text.length : end;
  }
}
