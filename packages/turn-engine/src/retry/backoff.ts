import type { ProviderError } from '@hermes/providers';

/** Waits between attempts of one call (turn spec 14): 2 s × 2ⁿ, at most 60 s, plus up to 50 % jitter. */
const BASE_MS = 2000;
const CAP_MS = 60_000;
const JITTER = 0.5;

/** A server's own wait wins, up to this long. */
const RETRY_AFTER_CAP_MS = 600_000;

/**
 * Milliseconds before attempt number `attempt` (1 is the first repeat). `random` is in [0, 1).
 *
 * @example
 * retryWait(error, 1, Math.random()); // 2000 … 3000, or what the server asked for
 */
export function retryWait(error: ProviderError, attempt: number, random: number): number {
  const asked = error.retryAfterMs;
  if (asked !== undefined && asked > 0) return Math.min(asked, RETRY_AFTER_CAP_MS);
  const wait = Math.min(BASE_MS * 2 ** (attempt - 1), CAP_MS);
  return Math.round(wait * (1 + JITTER * random));
}

/** Milliseconds before an empty answer is asked for again: 5 s growing to 60 s, jittered (turn spec 7). */
export function emptyAnswerWait(attempt: number, random: number): number {
  return Math.round(Math.min(5000 * 2 ** (attempt - 1), CAP_MS) * (1 + JITTER * random));
}
