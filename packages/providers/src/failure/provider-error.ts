/** What went wrong with a model call. The list grows with the failure policy table. */
export type FailureReason =
  | 'auth'
  | 'billing'
  | 'rate_limit'
  /** The aggregator is fine, the provider behind it is not: the key stays healthy. */
  | 'upstream_rate_limit'
  /** A firewall or CDN answered in place of the provider. */
  | 'upstream_blocked'
  | 'overloaded'
  | 'server_error'
  | 'timeout'
  | 'tls_certificate'
  | 'context_overflow'
  /** The server ran out of memory; the conversation still fits its window, so compressing it is no remedy. */
  | 'memory_ceiling'
  /** The answer was asked to be longer than the model allows; the conversation itself fits. */
  | 'output_cap_exceeded'
  | 'payload_too_large'
  | 'model_not_found'
  | 'content_policy_blocked'
  | 'format_error'
  | 'stream_interrupted'
  | 'invalid_response'
  | 'unknown';

/**
 * A failed model call, classified. `message` is fit to be shown to a person and holds no secret.
 *
 * @example
 * if (error instanceof ProviderError && error.retryable) await clock.sleep(error.retryAfterMs ?? 2000);
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly reason: FailureReason;
  readonly retryable: boolean;
  /** HTTP status, when there was a response. */
  readonly status: number | undefined;
  /** The wait the provider asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: FailureReason,
    message: string,
    options: { retryable: boolean; status?: number | undefined; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.retryable = options.retryable;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}
