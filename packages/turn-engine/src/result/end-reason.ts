/** Why a turn ended (turn spec 3). Every end has one; "unknown" is not among them. */
export type EndReason =
  | { readonly code: 'text_response'; readonly detail: string }
  | { readonly code: 'partial_stream_recovery' }
  | { readonly code: 'output_truncated' }
  | { readonly code: 'max_iterations'; readonly detail: string }
  | { readonly code: 'invalid_tool_name' }
  | { readonly code: 'tool_call_truncated' }
  | { readonly code: 'empty_response_exhausted' }
  | { readonly code: 'malformed_tool_call' }
  | { readonly code: 'interrupted_by_user' }
  | { readonly code: 'interrupted_during_call' }
  | { readonly code: 'interrupted_by_system'; readonly detail: string }
  | { readonly code: 'interrupted_before_start' }
  | { readonly code: 'lease_lost' }
  | { readonly code: 'session_busy'; readonly detail: string }
  | { readonly code: 'session_persistence_failed'; readonly detail: string }
  | { readonly code: 'provider_terminal'; readonly detail: string }
  | { readonly code: 'retries_exhausted'; readonly detail: string }
  | { readonly code: 'content_policy_blocked' }
  | { readonly code: 'internal_error'; readonly detail: string };

export type EndCode = EndReason['code'];
export type TurnOutcome = 'completed' | 'incomplete' | 'interrupted' | 'failed';

interface EndFacts {
  readonly outcome: TurnOutcome;
  /** Whether asking again may help. */
  readonly retryable: boolean;
  /** One sentence for the user; `detail` is filled in by `explainEnd`. */
  readonly text: (detail: string) => string;
}

const endFacts: Record<EndCode, EndFacts> = {
  text_response: { outcome: 'completed', retryable: false, text: () => '' },
  partial_stream_recovery: {
    outcome: 'incomplete',
    retryable: true,
    text: () => 'The connection broke while the answer was arriving; what had arrived is kept.',
  },
  output_truncated: {
    outcome: 'incomplete',
    retryable: true,
    text: () => 'The answer was still cut off after several continuations; ask to go on.',
  },
  max_iterations: {
    outcome: 'incomplete',
    retryable: true,
    text: (detail) =>
      `The turn used its ${detail.split('/')[1] ?? ''} model calls before it was done; say "continue" to go on.`,
  },
  invalid_tool_name: {
    outcome: 'incomplete',
    retryable: true,
    text: () => 'The model kept calling tools that do not exist, so the turn was stopped.',
  },
  tool_call_truncated: {
    outcome: 'incomplete',
    retryable: true,
    text: () => 'The model could not finish writing a tool call, so it was not run; ask for a smaller step.',
  },
  empty_response_exhausted: {
    outcome: 'incomplete',
    retryable: true,
    text: () => 'The model gave no answer after several attempts; try again or choose another model.',
  },
  malformed_tool_call: {
    outcome: 'failed',
    retryable: false,
    text: () => 'The model kept writing tool arguments that are not valid JSON, so nothing was run.',
  },
  interrupted_by_user: { outcome: 'interrupted', retryable: true, text: () => 'Interrupted.' },
  interrupted_during_call: {
    outcome: 'interrupted',
    retryable: true,
    text: () => 'Interrupted while the model was answering.',
  },
  interrupted_by_system: { outcome: 'interrupted', retryable: true, text: (detail) => `Stopped by ${detail}.` },
  interrupted_before_start: { outcome: 'interrupted', retryable: true, text: () => 'Interrupted before it started.' },
  lease_lost: {
    outcome: 'interrupted',
    retryable: true,
    text: () => 'Another process took over this session, so this turn was stopped.',
  },
  session_busy: {
    outcome: 'failed',
    retryable: true,
    text: (detail) => `The session is in use by ${detail}; try again when it is free.`,
  },
  session_persistence_failed: {
    outcome: 'failed',
    retryable: true,
    text: (detail) =>
      `The session could not be written (${detail}), so the turn was stopped and nothing more was done.`,
  },
  provider_terminal: {
    outcome: 'failed',
    retryable: false,
    text: (detail) => `The model refused the request (${detail}).`,
  },
  retries_exhausted: {
    outcome: 'failed',
    retryable: true,
    text: (detail) => `The model could not be reached after several attempts (${detail}).`,
  },
  content_policy_blocked: {
    outcome: 'failed',
    retryable: false,
    text: () => 'The provider declined to answer this request.',
  },
  internal_error: {
    outcome: 'failed',
    retryable: false,
    text: (detail) => `An internal error stopped the turn: ${detail}`,
  },
};

/** `text_response(stop)`: the form that is stored and logged. */
export function formatEndReason(end: EndReason): string {
  return 'detail' in end ? `${end.code}(${end.detail})` : end.code;
}

export function outcomeOf(end: EndReason): TurnOutcome {
  return endFacts[end.code].outcome;
}

export function isRetryable(end: EndReason): boolean {
  return endFacts[end.code].retryable;
}

/** One sentence for the user; empty for a completed turn. */
export function explainEnd(end: EndReason): string {
  return endFacts[end.code].text('detail' in end ? end.detail : '');
}
