import type { Clock } from '@hermes/runtime';
import { type Lease, LEASE_REFRESH_MS, type SessionStore } from '@hermes/session-db';

/** A refresh that failed is tried again after these waits, the last one repeating, in milliseconds (turn spec 8). */
const RETRY_WAITS_MS = [1000, 2000, 5000, 10_000];

/** A lease that could not be refreshed for so long must be taken for lost. */
const MAX_AGE_MS = 240_000;

/**
 * Refreshes a lease until stopped. Calls `onLost` once, at once when the store says that another owner has it, or when it could not
 * be refreshed for four minutes.
 */
export class LeaseKeeper {
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor(store: SessionStore, lease: Lease, clock: Clock, onLost: () => void) {
    this.#done = this.#keep(store, lease, clock, onLost);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #keep(store: SessionStore, lease: Lease, clock: Clock, onLost: () => void): Promise<void> {
    const { signal } = this.#stop;
    let refreshedAt = clock.monotonic();
    let failures = 0;
    while (!signal.aborted) {
      const wait =
        failures === 0 ? LEASE_REFRESH_MS : (RETRY_WAITS_MS[Math.min(failures, RETRY_WAITS_MS.length) - 1] ?? 0);
      await clock.sleep(wait, signal).catch(() => undefined);
      if (signal.aborted) return;
      const refreshed = await store.refreshLease(lease).catch(() => undefined);
      if (refreshed) {
        refreshedAt = clock.monotonic();
        failures = 0;
      } else if (refreshed === false || clock.monotonic() - refreshedAt >= MAX_AGE_MS) {
        onLost();
        return;
      } else {
        failures++;
      }
    }
  }
}
