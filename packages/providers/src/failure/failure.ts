/**
 * Where a call failed:
 * - `network`: no answer at all
 * - `http`: an answer that is not a success
 * - `page`: a success that is not what a model server sends, such as a web page
 * - `error_event`: an error inside a stream that began with HTTP 200
 * - `malformed`: an event nobody can read
 * - `cut`: the stream ended before the answer was complete
 * - `empty`: the stream ended without any answer
 * - `silent`: no byte for too long
 * - `late`: the whole call took too long
 */
export type FailureKind =
  | 'network'
  | 'http'
  | 'page'
  | 'error_event'
  | 'malformed'
  | 'cut'
  | 'empty'
  | 'silent'
  | 'late';

/** What is known about a failed call; the failure table turns it into a reason. */
export interface Failure {
  readonly kind: FailureKind;
  /** HTTP status; for an error inside a stream, the one the error itself names. */
  readonly status?: number;
  /** Codes of the body and of the system, in lower case. */
  readonly codes?: readonly string[];
  /** Everything the provider said, in lower case; what patterns are matched against. */
  readonly text?: string;
  /** The provider's own message, for people. */
  readonly detail?: string;
  readonly contentType?: string;
  /** The wait the provider asked for, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Limit that was reached, in milliseconds. */
  readonly limitMs?: number;
  readonly cause?: unknown;
}
