/** Why work was cancelled. The source of the kinds is the engine's cancellation tree; never a bare string. */
export type AbortKind = 'user_stop' | 'new_message' | 'redirect' | 'lease_lost' | 'watchdog' | 'shutdown' | 'deadline';

/**
 * The reason carried by every `AbortSignal` of a turn.
 *
 * @example
 * controller.abort(new AbortReason('user_stop', 'tui'));
 */
export class AbortReason extends Error {
  override readonly name = 'AbortReason';
  readonly kind: AbortKind;
  /** Who asked: a surface, a watchdog, the process. */
  readonly issuer: string;

  constructor(kind: AbortKind, issuer: string, text?: string) {
    super(text ?? `${kind} (by ${issuer})`);
    this.kind = kind;
    this.issuer = issuer;
  }
}

/** The typed reason of an aborted signal; a foreign reason is reported as a system stop. */
export function abortReasonOf(signal: AbortSignal): AbortReason {
  if (signal.reason instanceof AbortReason) return signal.reason;
  return new AbortReason('user_stop', 'caller', signal.reason instanceof Error ? signal.reason.message : undefined);
}
