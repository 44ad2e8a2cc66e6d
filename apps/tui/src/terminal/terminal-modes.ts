import type { ReadStream, WriteStream } from 'node:tty';
import { sequences } from './sequences.ts';

/**
 * The modes the terminal is in while the screen is ours. `release` puts everything back; it writes synchronously and may be
 * called at any time, from a signal or an exit handler too, and more than once.
 */
export class TerminalModes {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #wheel: boolean;
  #acquired = false;
  #kitty = false;

  constructor(input: ReadStream, output: WriteStream, options: { readonly wheel: boolean }) {
    this.#input = input;
    this.#output = output;
    this.#wheel = options.wheel;
  }

  acquire(): void {
    if (this.#acquired) return;
    this.#acquired = true;
    this.#input.setRawMode(true);
    this.#output.write(
      sequences.enterAlternateScreen +
        sequences.bracketedPasteOn +
        (this.#wheel ? sequences.wheelOn : '') +
        (this.#kitty ? sequences.kittyOn : sequences.askKitty),
    );
  }

  /** The terminal answered that it can tell keys apart that are one byte elsewhere, such as Shift+Enter. */
  useKitty(): void {
    if (this.#kitty || !this.#acquired) return;
    this.#kitty = true;
    this.#output.write(sequences.kittyOn);
  }

  release(): void {
    if (!this.#acquired) return;
    this.#acquired = false;
    this.#output.write(
      sequences.endUpdate +
        (this.#kitty ? sequences.kittyOff : '') +
        (this.#wheel ? sequences.wheelOff : '') +
        sequences.bracketedPasteOff +
        sequences.resetStyle +
        sequences.leaveAlternateScreen +
        sequences.showCursor,
    );
    try {
      this.#input.setRawMode(false);
    } catch {
      // The terminal is gone, as after a hang-up; there is nothing to put back.
    }
  }
}
