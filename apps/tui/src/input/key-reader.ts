import type { Readable } from 'node:stream';
import { EnterGuard } from './enter-guard.ts';
import { InputDecoder } from './input-decoder.ts';
import type { InputEvent } from './input-event.ts';

/** A sequence cut in two is held this long (CLI spec 8.1). */
const HOLD_MS = 50;
const LONG_HOLD_MS = 1000;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Reads a terminal from the moment it is made; what is typed before somebody listens is kept.
 *
 * @example
 * const keys = new KeyReader(process.stdin);
 * keys.listen((event) => handle(event));
 */
export class KeyReader {
  readonly #input: Readable;
  readonly #decoder = new InputDecoder();
  readonly #guard = new EnterGuard();
  readonly #kept: InputEvent[] = [];
  /** Nothing was read yet: the terminal may have been in its line mode while this was typed. */
  #early = true;
  #listener: ((events: readonly InputEvent[]) => void) | undefined;
  #settleTimer: NodeJS.Timeout | undefined;
  #guardTimer: NodeJS.Timeout | undefined;

  constructor(input: Readable) {
    this.#input = input;
    input.on('data', this.#onData);
  }

  /** Hands over what was kept and all that follows, a chunk of input at a time. */
  listen(listener: (events: readonly InputEvent[]) => void): void {
    this.#listener = listener;
    const kept = this.#kept.splice(0);
    if (kept.length > 0) listener(kept);
  }

  stop(): void {
    clearTimeout(this.#settleTimer);
    clearTimeout(this.#guardTimer);
    this.#input.off('data', this.#onData);
    this.#input.pause();
  }

  readonly #onData = (chunk: Uint8Array): void => {
    this.#guarded(this.#decoder.push(this.#early ? withEnters(chunk) : chunk));
    this.#early = false;
    this.#scheduleSettle(HOLD_MS);
  };

  #scheduleSettle(delay: number): void {
    clearTimeout(this.#settleTimer);
    if (!this.#decoder.unsettled) return;
    this.#settleTimer = setTimeout(() => {
      this.#guarded(this.#decoder.settle(delay === LONG_HOLD_MS));
      if (delay === HOLD_MS) this.#scheduleSettle(LONG_HOLD_MS);
    }, delay);
  }

  #guarded(events: readonly InputEvent[]): void {
    this.#deliver(this.#guard.push(events, performance.now()));
    clearTimeout(this.#guardTimer);
    const { deadline } = this.#guard;
    if (deadline === null) return;
    this.#guardTimer = setTimeout(() => this.#deliver(this.#guard.expire()), deadline - performance.now());
  }

  #deliver(events: readonly InputEvent[]): void {
    if (events.length === 0) return;
    if (this.#listener) this.#listener(events);
    else this.#kept.push(...events);
  }
}

/** In its line mode a terminal turns Enter into a line feed; nobody types Ctrl+J before there is anything to see. */
function withEnters(chunk: Uint8Array): Uint8Array {
  return chunk.map((byte) => (byte === LINE_FEED ? CARRIAGE_RETURN : byte));
}
