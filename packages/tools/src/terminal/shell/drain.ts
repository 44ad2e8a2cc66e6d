import type { Readable } from 'node:stream';
import { setImmediate as nextPoll, setTimeout as delay } from 'node:timers/promises';

/** No output for so long after the exit: what the command printed has been read. */
const QUIET_MS = 50;

/** A process left behind that prints without pause holds the result back no longer than this. */
const MAX_DRAIN_MS = 500;

/** Reads a command's output to its end, or until it is certain that the rest belongs to processes left behind. */
export class Drain {
  readonly #stream: Readable;
  readonly #ended: Promise<true>;
  #reads = 0;
  #onOutput: (bytes: Buffer) => void;

  constructor(stream: Readable, onOutput: (bytes: Buffer) => void) {
    this.#stream = stream;
    this.#onOutput = onOutput;
    stream.on('error', () => undefined);
    stream.on('data', (bytes: Buffer) => {
      this.#reads++;
      this.#onOutput(bytes);
    });
    this.#ended = new Promise((resolve) => {
      stream.once('end', () => resolve(true));
      stream.once('close', () => resolve(true));
    });
  }

  /** To be called when the command has exited. Returns the stream when somebody else still holds it open. */
  async finish(): Promise<Readable | undefined> {
    const settled = new AbortController();
    const ended = await Promise.race([this.#ended, this.#quiet(settled.signal)]);
    settled.abort();
    this.#onOutput = () => undefined;
    return ended ? undefined : this.#stream;
  }

  async #quiet(signal: AbortSignal): Promise<false> {
    try {
      for (let waited = 0; waited < MAX_DRAIN_MS; waited += QUIET_MS) {
        const before = this.#reads;
        await delay(QUIET_MS, undefined, { signal });
        await nextPoll();
        if (this.#reads === before) break;
      }
    } catch {
      // Ended meanwhile.
    }
    return false;
  }
}
