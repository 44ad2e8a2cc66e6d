import type { Clock } from '@hermes/runtime';
import type { CallLimits } from './call-limits.ts';

/** Watches one model call and aborts it when the caller does or when a limit is reached. */
export interface CallGuard {
  /** Aborts with the caller's reason, or with the error made for the limit. */
  readonly signal: AbortSignal;
  /** The call now waits for the server; silence counts from here. */
  waiting(): void;
  /** Bytes arrived; until the next `waiting` the time is the caller's own. */
  served(): void;
  /** Must be called once the call is over. */
  release(): void;
}

/**
 * Starts watching a call. The HTTP stack's own timeouts play no part: `node:http` has none for clients.
 *
 * @param expired makes the error for the limit that was reached
 */
export function guardCall(
  caller: AbortSignal,
  clock: Clock,
  limits: CallLimits,
  expired: (limit: keyof CallLimits) => Error,
): CallGuard {
  const call = new AbortController();
  const over = new AbortController();
  const started = clock.monotonic();
  let waitingSince: number | undefined = started;

  const onAbort = () => call.abort(caller.reason);
  if (caller.aborted) onAbort();
  else caller.addEventListener('abort', onAbort, { once: true });

  const watch = async () => {
    for (;;) {
      const now = clock.monotonic();
      const whole = limits.wholeMs - (now - started);
      const silence = limits.silenceMs - (waitingSince === undefined ? 0 : now - waitingSince);
      if (whole <= 0) return call.abort(expired('wholeMs'));
      if (silence <= 0) return call.abort(expired('silenceMs'));
      await clock.sleep(Math.min(whole, silence), over.signal);
    }
  };
  watch().catch(() => undefined);

  return {
    signal: call.signal,
    waiting: () => {
      waitingSince = clock.monotonic();
    },
    served: () => {
      waitingSince = undefined;
    },
    release: () => {
      caller.removeEventListener('abort', onAbort);
      over.abort(null);
    },
  };
}
