import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { BEGUN, MESSAGE_START } from './shell-script.ts';

/** A report that is not there this long after the shell's exit will not come (its process was replaced or killed). */
const REPORT_WAIT_MS = 50;

/** More than a path can have; noise beyond it is forgotten. */
const MAX_KEPT_CHARS = 16_384;

/** Reads what a waiting shell says about itself: first that it is ready, in the end where it stands. */
export class ControlChannel {
  /** The first message. */
  readonly ready: Promise<string>;
  readonly #ended: Promise<void>;
  #text = '';
  #onMessage: () => void = () => undefined;

  constructor(stream: Readable) {
    stream.setEncoding('utf8');
    stream.on('error', () => undefined);
    this.#ended = new Promise((resolve) => {
      stream.once('close', () => resolve());
      stream.once('end', () => resolve());
    });
    this.ready = new Promise((resolve) => {
      stream.on('data', (text: string) => {
        this.#text = (this.#text + text).slice(-MAX_KEPT_CHARS);
        const at = this.#text.indexOf(MESSAGE_START);
        if (at < 0) return;
        const first = this.#text.charAt(at + 1);
        if (first === '') return;
        resolve(first);
        this.#onMessage();
      });
    });
  }

  /** Whether the shell has said that it runs its command; certain after `lastMessage`. */
  get begun(): boolean {
    return this.#text.includes(MESSAGE_START + BEGUN);
  }

  /** The directory in the last complete message; to be asked when the shell has exited. */
  async lastMessage(): Promise<string | undefined> {
    if (this.#report() === undefined) {
      const arrived = new Promise<void>((resolve) => {
        this.#onMessage = () => {
          if (this.#report() !== undefined) resolve();
        };
      });
      const settled = new AbortController();
      const late = delay(REPORT_WAIT_MS, undefined, { signal: settled.signal }).catch(() => undefined);
      await Promise.race([arrived, this.#ended, late]);
      settled.abort();
    }
    return this.#report();
  }

  #report(): string | undefined {
    const message = this.#text.slice(this.#text.lastIndexOf(MESSAGE_START) + 1);
    return message.startsWith('/') && message.endsWith('\n') ? message.slice(0, -1) : undefined;
  }
}
