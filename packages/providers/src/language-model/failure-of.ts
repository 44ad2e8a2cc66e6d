import { classifyFailure } from '../failure/classify-failure.ts';
import { readErrorBody } from '../failure/error-body.ts';
import type { Failure } from '../failure/failure.ts';
import { failureOfErrorEvent, failureOfNetworkError } from '../failure/http-failure.ts';
import { ProviderError } from '../failure/provider-error.ts';
import { retryAfterMs } from '../failure/retry-after.ts';
import type { Route } from '../route/route.ts';

/** Fields of the SDK's `APICallError` that tell what a server answered. */
interface CallError {
  readonly statusCode?: unknown;
  readonly responseHeaders?: unknown;
  readonly responseBody?: unknown;
}

/** Errors about what the server sent. The SDK's others are about how the model object is used, such as a missing key. */
const MALFORMED: ReadonlySet<string> = new Set([
  'AI_EmptyResponseBodyError',
  'AI_InvalidResponseDataError',
  'AI_JSONParseError',
  'AI_NoContentGeneratedError',
  'AI_TypeValidationError',
]);

/** What is thrown for an error of a call: itself when it is about how the model object is used. */
export function sdkError(route: Route, error: unknown, now: number): unknown {
  if (error instanceof ProviderError) return error;
  const failure = failureOf(error, now);
  return failure === undefined ? error : classifyFailure(route, failure);
}

function failureOf(error: unknown, now: number): Failure | undefined {
  if (!(error instanceof Error)) return failureOfErrorEvent({ error }, now);
  if (MALFORMED.has(error.name)) return { kind: 'malformed', cause: error };
  if (error.name === 'AI_APICallError') return failureOfAnswer(error, now);
  return error.name.startsWith('AI_') ? undefined : failureOfNetworkError(error);
}

function failureOfAnswer(error: Error, now: number): Failure {
  const { statusCode, responseHeaders, responseBody } = error as CallError;
  if (typeof statusCode !== 'number') return failureOfNetworkError(error);
  if (statusCode < 400) return { kind: error.cause === undefined ? 'page' : 'cut', status: statusCode, cause: error };
  const body = readErrorBody(typeof responseBody === 'string' ? responseBody : '');
  const headers = headersOf(responseHeaders);
  const wait = retryAfterMs(headers, body.error, body.text, now);
  const contentType = headers['content-type'];
  return {
    kind: 'http',
    status: statusCode,
    codes: body.codes,
    text: body.text,
    cause: error,
    ...(body.message === undefined ? {} : { detail: body.message }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

function headersOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), String(text)]));
}
