import { messageOf } from '@hermes/runtime';
import { type EndReason, explainEnd, isRetryable, outcomeOf } from './end-reason.ts';
import { NO_USAGE, type TurnResult } from './turn-result.ts';

/** The result of an input that never became a turn. */
export function notStartedResult(
  sessionId: string,
  end: EndReason,
  route: TurnResult['route'],
  cause?: unknown,
): TurnResult {
  const outcome = outcomeOf(end);
  const message = cause === undefined ? '' : messageOf(cause);
  const reason = end.code === 'session_persistence_failed' ? 'persistence' : 'internal';
  return {
    turnId: '',
    sessionId,
    outcome,
    endReason: end,
    finalText: '',
    explanation: [explainEnd(end), message].filter((text) => text !== '').join(' '),
    ...(outcome === 'failed' ? { failure: { reason, retryable: isRetryable(end), message } } : {}),
    apiCalls: 0,
    budget: { used: 0, limit: 0 },
    usage: NO_USAGE,
    lastPromptTokens: 0,
    route,
    toolCalls: 0,
    durationMs: 0,
    cleanupErrors: [],
  };
}
