import { formatEndReason, type TurnResult } from '@hermes/turn-engine';

/** What a turn used and how it ended, for scripts. Token counts are the provider's. */
export function usageReport(result: TurnResult) {
  return {
    session_id: result.sessionId,
    status: result.outcome,
    end_reason: formatEndReason(result.endReason),
    model: result.route.model,
    provider: result.route.provider,
    api_calls: result.apiCalls,
    tool_calls: result.toolCalls,
    usage: {
      input: result.usage.input,
      output: result.usage.output,
      cache_read: result.usage.cacheRead,
      cache_write: result.usage.cacheWrite,
      reasoning: result.usage.reasoning,
    },
    duration_ms: result.durationMs,
  };
}
