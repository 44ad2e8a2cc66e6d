import type { Clock } from '@hermes/runtime';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #time = 0;
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { at: this.#time + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  }

  advance(ms: number): void {
    this.#time += ms;
    for (const sleeper of this.#sleepers) {
      if (sleeper.at > this.#time) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}
