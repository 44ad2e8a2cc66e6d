import { ProviderError } from '@hermes/providers';
import { retryWait } from '../retry/backoff.ts';
import type { TurnPorts } from '../turn/ports.ts';
import type { TurnState, Verdict } from '../turn/turn-state.ts';
import { interruptedEnd } from './interrupted-end.ts';
import { performCall } from './perform-call.ts';

/**
 * A stream that breaks after so many visible characters has given an answer worth keeping (turn spec, check 14); fewer are taken back
 * and asked for again, so that the turn can end well.
 */
const KEPT_CHARS = 200;

/** Calls the model until it has answered, the failure is final, or the attempts are spent. A call has no effect, so it may repeat. */
export async function apiRetryLoop(state: TurnState, ports: TurnPorts): Promise<Verdict> {
  for (let attempt = 1; ; attempt++) {
    try {
      await performCall(state, ports);
      return 'next';
    } catch (error) {
      if (state.signal.aborted) {
        state.end = interruptedEnd(state, true);
        return 'break';
      }
      if (!(error instanceof ProviderError)) throw error;
      const verdict = await handleError(error, attempt, state, ports);
      if (verdict) return verdict;
    }
  }
}

/** Decides about one failed attempt; undefined means: try again. */
async function handleError(
  error: ProviderError,
  attempt: number,
  state: TurnState,
  ports: TurnPorts,
): Promise<Verdict | undefined> {
  state.failure = { reason: error.reason, message: error.message };
  if (error.reason === 'stream_interrupted' && state.streamedText.trim().length >= KEPT_CHARS) {
    state.end = { code: 'partial_stream_recovery' };
    return 'break';
  }
  if (!error.retryable) {
    state.end =
      error.reason === 'content_policy_blocked'
        ? { code: 'content_policy_blocked' }
        : { code: 'provider_terminal', detail: error.reason };
    return 'break';
  }
  if (attempt > ports.limits.maxRetries) {
    state.end = { code: 'retries_exhausted', detail: error.reason };
    return 'break';
  }
  retractStreamed(error.reason, state, ports);
  const waitMs = retryWait(error, attempt, ports.random());
  ports.events.emit({
    type: 'retry.scheduled',
    reason: error.reason,
    attempt,
    of: ports.limits.maxRetries,
    waitMs,
    message: error.message,
  });
  try {
    await ports.clock.sleep(waitMs, state.signal);
  } catch {
    state.end = interruptedEnd(state, true);
    return 'break';
  }
  state.failure = undefined;
  return undefined;
}

function retractStreamed(cause: string, state: TurnState, ports: TurnPorts): void {
  if (state.streamedText === '') return;
  state.streamedText = '';
  ports.events.emit({ type: 'text.retracted', cause });
}
