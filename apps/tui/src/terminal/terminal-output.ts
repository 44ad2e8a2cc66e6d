import { Writable } from 'node:stream';
import { sequences } from './sequences.ts';

/**
 * The terminal as Ink sees it. Its size changes only when the state does, so that no frame mixes two sizes, and what Ink
 * believes to be on the screen can be declared gone.
 */
export class TerminalOutput extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  readonly #terminal: NodeJS.WritableStream;
  #muted = false;
  #erase = false;

  constructor(terminal: NodeJS.WritableStream, columns: number, rows: number) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
    this.columns = columns;
    this.rows = rows;
  }

  /** Makes the next frame start on an erased screen, in the same synchronized update. `forget` makes Ink draw all of it. */
  eraseBeforeNextFrame(forget: () => void): void {
    this.#muted = true;
    forget();
    this.#muted = false;
    this.#erase = true;
  }

  override _write(chunk: string | Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    if (!this.#muted) this.#terminal.write(this.#withErase(chunk));
    done();
  }

  #withErase(chunk: string | Uint8Array): string | Uint8Array {
    if (!this.#erase || chunk === sequences.beginUpdate || typeof chunk !== 'string') return chunk;
    this.#erase = false;
    return sequences.homeAndErase + chunk;
  }
}
