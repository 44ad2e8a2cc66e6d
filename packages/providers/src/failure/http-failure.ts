import type { IncomingMessage } from 'node:http';
import { readErrorBody, readErrorValue } from './error-body.ts';
import type { Failure } from './failure.ts';
import { retryAfterMs } from './retry-after.ts';

/**
 * The failure behind an answer that is not one of a model.
 *
 * @param text its body
 * @param now milliseconds since the epoch, to turn a date to try again into a wait
 */
export function failureOfResponse(response: IncomingMessage, text: string, now: number): Failure {
  const status = response.statusCode ?? 0;
  const contentType = response.headers['content-type'];
  const body = readErrorBody(text);
  const isSuccess = status >= 200 && status < 300;
  const wait = retryAfterMs(response.headers, body.error, body.text, now);
  const location = response.headers.location;
  const detail = body.message ?? (location === undefined ? undefined : `it moved to ${location}`);
  return {
    kind: isSuccess ? (body.error?.message === undefined ? 'page' : 'error_event') : 'http',
    status: isSuccess ? (body.status ?? status) : status,
    codes: body.codes,
    text: body.text,
    ...(detail === undefined ? {} : { detail }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

/** The failure behind an error object inside a stream that began with HTTP 200. */
export function failureOfErrorEvent(value: unknown, now: number): Failure {
  const body = readErrorValue(value);
  const wait = retryAfterMs({}, body.error, body.text, now);
  return {
    kind: 'error_event',
    codes: body.codes,
    text: body.text,
    ...(body.status === undefined ? {} : { status: body.status }),
    ...(body.message === undefined ? {} : { detail: body.message }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

/** The failure behind an error thrown by the HTTP stack; the code may stand a few causes down. */
export function failureOfNetworkError(error: unknown): Failure {
  const codes: string[] = [];
  let cause: unknown = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if ('code' in cause && typeof cause.code === 'string') codes.push(cause.code.toLowerCase());
    cause = cause.cause;
  }
  return { kind: 'network', codes, text: String(error).toLowerCase(), cause: error };
}
