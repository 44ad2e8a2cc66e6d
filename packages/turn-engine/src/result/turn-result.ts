import type { FailureReason, Usage } from '@hermes/providers';
import type { EndReason, TurnOutcome } from './end-reason.ts';

export interface BudgetReport {
  readonly used: number;
  readonly limit: number;
}

/** What a turn came to. A `completed` one never carries a failure. */
export interface TurnResult {
  readonly turnId: string;
  readonly sessionId: string;
  readonly outcome: TurnOutcome;
  readonly endReason: EndReason;
  /** The answer; for other outcomes what there is of it, possibly empty. */
  readonly finalText: string;
  /** One sentence for the user when the turn did not complete; empty otherwise. */
  readonly explanation: string;
  readonly failure?: {
    readonly reason: FailureReason | 'internal' | 'persistence';
    readonly retryable: boolean;
    readonly message: string;
  };
  /** Requests that were sent to the provider, retries included. */
  readonly apiCalls: number;
  readonly budget: BudgetReport;
  readonly usage: Usage;
  /** Prompt tokens of the last call as the provider counted them; 0 when it does not. */
  readonly lastPromptTokens: number;
  readonly route: {
    readonly provider: string;
    readonly model: string;
    readonly baseUrl: string;
    readonly servedModel?: string;
  };
  readonly toolCalls: number;
  readonly durationMs: number;
  /** Steps of the shutdown that failed; the text was not lost over them. */
  readonly cleanupErrors: readonly string[];
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    reasoning: a.reasoning + b.reasoning,
  };
}
