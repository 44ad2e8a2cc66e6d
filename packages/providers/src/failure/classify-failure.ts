import { redact } from '@hermes/runtime';
import type { Route } from '../route/route.ts';
import type { Failure, FailureKind } from './failure.ts';
import { failureRow } from './failure-table.ts';
import { ProviderError } from './provider-error.ts';

const DETAIL_CHARS = 300;

const NETWORK_WORDS: Readonly<Record<string, string>> = {
  econnrefused: 'nothing listens there',
  enotfound: 'its name is unknown',
  eai_again: 'its name could not be looked up',
  econnreset: 'the connection was closed',
  epipe: 'the connection was closed',
  etimedout: 'it did not answer in time',
  ehostunreach: 'there is no way to it',
  enetunreach: 'there is no network',
  err_invalid_char: 'the key holds characters that cannot be sent',
};

const WHAT_HAPPENED: Readonly<Record<FailureKind, (host: string, failure: Failure) => string>> = {
  network: (host, failure) => `Cannot reach ${host}${networkWords(failure)}`,
  http: (host, { status }) => `${host} answered ${status ?? 'with an error'}`,
  page: (host, { status = 200, contentType = 'no content type' }) =>
    `${host} answered ${status} with ${contentType} instead of a stream`,
  error_event: (host, { status }) =>
    `${host} reported an error within its answer${status === undefined ? '' : ` (${status})`}`,
  malformed: (host) => `${host} sent a piece of an answer that is not JSON`,
  cut: (host) => `The answer of ${host} broke off before it was complete`,
  empty: (host, { status = 200 }) => `${host} answered ${status} but sent no answer`,
  silent: (host, failure) => `${host} sent nothing for ${seconds(failure)}`,
  late: (host, failure) => `The answer of ${host} was not complete after ${seconds(failure)}`,
};

/**
 * Makes the error for a failed call: the reason from the failure table, and a message that says what happened, where,
 * and what to do next.
 *
 * @example
 * throw classifyFailure(route, { kind: 'cut' });
 */
export function classifyFailure(route: Route, failure: Failure): ProviderError {
  const row = failureRow(failure);
  const detail = failure.detail === undefined ? '' : `: ${oneLine(failure.detail)}`;
  const message = `${WHAT_HAPPENED[failure.kind](hostOf(route), failure)}${redact(detail, route.apiKey === undefined ? [] : [route.apiKey])}`;
  return new ProviderError(row.reason, `${sentence(message)} ${row.advice(route)}`, {
    retryable: row.retryable,
    status: failure.status,
    retryAfterMs: failure.retryAfterMs,
    cause: failure.cause,
  });
}

/** Host and port; a URL may hold a password before them. */
function hostOf({ baseUrl }: Route): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

function networkWords({ codes = [] }: Failure): string {
  const code = codes[0];
  if (code === undefined) return '';
  const words = NETWORK_WORDS[code];
  return words === undefined ? ` (${code.toUpperCase()})` : `: ${words} (${code.toUpperCase()})`;
}

function seconds({ limitMs = 0 }: Failure): string {
  return `${Math.round(limitMs / 1000)} s`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > DETAIL_CHARS ? `${line.slice(0, DETAIL_CHARS)}…` : line;
}

function sentence(text: string): string {
  return /[.!?…。]$/.test(text) ? text : `${text}.`;
}
