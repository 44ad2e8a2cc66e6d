import type { Clock } from '@hermes/runtime';
import { ControlSequenceFilter } from './control-sequences.ts';
import { OutputWindow } from './output-window.ts';

/** Live output is reported ten times a second at most. */
const REPORT_EVERY_MS = 100;

/** What a display shows of a running command. */
const LIVE_LINES = 5;

/**
 * What a command prints, on its way to the model and to the screen: decoded, without control sequences, in bounded memory.
 * `report` gets the last lines while the command runs, each report replacing the one before.
 */
export class CapturedOutput {
  readonly #decoder = new TextDecoder('utf-8');
  readonly #filter = new ControlSequenceFilter();
  readonly #window = new OutputWindow();
  readonly #report: (text: string) => void;
  readonly #clock: Clock;
  readonly #closed = new AbortController();
  #reporting = false;

  constructor(clock: Clock, report: (text: string) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  get lines(): number {
    return this.#window.lines;
  }

  write(bytes: Uint8Array): void {
    this.#window.write(this.#filter.write(this.#decoder.decode(bytes, { stream: true })));
    if (!this.#reporting) void this.#reportLater();
  }

  /** Ends the live reports and gives the text for the model. */
  close(): string {
    this.#closed.abort();
    this.#window.write(this.#filter.write(this.#decoder.decode()));
    return this.#window.text();
  }

  async #reportLater(): Promise<void> {
    this.#reporting = true;
    try {
      await this.#clock.sleep(REPORT_EVERY_MS, this.#closed.signal);
      this.#report(this.#window.lastLines(LIVE_LINES));
    } catch {
      // Closed meanwhile.
    }
    this.#reporting = false;
  }
}
