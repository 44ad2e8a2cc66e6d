import type { Clock } from '@hermes/runtime';

interface Wait {
  readonly at: number;
  readonly resolve: () => void;
}

/**
 * A clock that moves only when told; a wait ends when the clock has been moved past it.
 *
 * @example
 * const clock = new FakeClock();
 * clock.advance(60_000);
 */
export class FakeClock implements Clock {
  /** Waits that were asked for, in milliseconds, in order. */
  readonly slept: number[] = [];
  readonly #start: number;
  #now: number;
  #waits: Wait[] = [];

  constructor(start: number = Date.UTC(2026, 0, 1)) {
    this.#start = start;
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#start;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const wait: Wait = { at: this.#now + ms, resolve };
      const abort = () => {
        this.#waits = this.#waits.filter((other) => other !== wait);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waits.push(wait);
      this.slept.push(ms);
    });
  }

  /** Moves the time and ends the waits it passes. */
  advance(ms: number): void {
    this.#now += ms;
    const due = this.#waits.filter((wait) => wait.at <= this.#now);
    this.#waits = this.#waits.filter((wait) => wait.at > this.#now);
    for (const wait of due) wait.resolve();
  }
}
