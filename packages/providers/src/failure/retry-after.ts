import { asObject } from '../message/json.ts';
import type { JsonValue } from '../message/message.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/**
 * The wait a provider asked for, in milliseconds: from the headers (`retry-after-ms`, `retry-after` as seconds or as an
 * HTTP date), else from the error body (`retry_after`, `retryDelay`, "try again in 1m30s"). Zero and the past are ignored.
 * Source: turn engine spec 14, "Retry budget".
 *
 * @param now milliseconds since the epoch
 * @example
 * retryAfterMs({ 'retry-after': '2' }, undefined, '', Date.now()); // 2000
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  body: JsonValue | undefined,
  text: string,
  now: number,
): number | undefined {
  const waits = [
    scaled(headers['retry-after-ms'], 1),
    fromHeader(headers['retry-after'], now),
    ...fromBody(body),
    fromWords(text),
  ];
  return waits.find((wait) => wait !== undefined && wait > 0);
}

function fromHeader(value: string | readonly string[] | undefined, now: number): number | undefined {
  if (typeof value !== 'string') return undefined;
  const seconds = scaled(value, 1_000);
  if (seconds !== undefined) return seconds;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : date - now;
}

function fromBody(body: JsonValue | undefined): readonly (number | undefined)[] {
  const error = asObject(body);
  if (error === undefined) return [];
  const places = [error, asObject(error.metadata), ...detailsOf(error)];
  return places.flatMap((place) =>
    place === undefined
      ? []
      : [scaled(place.retry_after_ms, 1), scaled(place.retry_after, 1_000), duration(place.retryDelay)],
  );
}

function detailsOf(error: Readonly<Record<string, JsonValue>>) {
  return Array.isArray(error.details) ? error.details.map(asObject) : [];
}

function fromWords(text: string): number | undefined {
  return duration(
    /(?:try again|retry|resets?) (?:in|after) ((?:\d+(?:\.\d+)?\s?(?:ms|s|m|h)[a-z]*\s?)+)/.exec(text)?.[1],
  );
}

/** A duration such as `17s`, `1m30.5s` or `4hr 5min`. */
function duration(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)\s?(ms|s|m|h)/g)];
  if (parts.length === 0) return undefined;
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0);
}

function scaled(value: unknown, factor: number): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (value === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number * factor : undefined;
}
