import { asList, asObject, asText, parseJson } from '../message/json.ts';
import type { JsonObject, JsonValue } from '../message/message.ts';

/** What an error body says, whatever its shape. */
export interface ErrorBody {
  /** The message for people; absent when the body has none. */
  readonly message?: string;
  /** Structured codes, in lower case. */
  readonly codes: readonly string[];
  /** All of it in lower case, for patterns. */
  readonly text: string;
  /** The error object itself. */
  readonly error?: JsonObject;
  /** An HTTP status that the error names. */
  readonly status?: number;
}

/**
 * Reads the shapes that are in use: OpenAI (`error.message`), flat (`message`), a proxy's text under `error`, FastAPI
 * (`detail`), a list around the error, and the JSON of a provider wrapped by an aggregator (`error.metadata.raw`).
 * Source: turn engine spec 14, "Pipeline".
 */
export function readErrorBody(text: string): ErrorBody {
  return readErrorValue(parseJson(text), text);
}

/** The same for a body that has been parsed already. */
export function readErrorValue(value: unknown, text = JSON.stringify(value)): ErrorBody {
  const outer = asObject(Array.isArray(value) ? value[0] : value);
  if (outer === undefined) return plain(text);
  const error = asObject(outer.error) ?? outer;
  const wrapped = asObject(parseJson(asText(asObject(error.metadata)?.raw) ?? ''));
  const inner = wrapped === undefined ? undefined : (asObject(wrapped.error) ?? wrapped);
  const message = messageIn(outer) ?? messageIn(error);
  const status = [error.code, error.status, error.status_code].find(isStatus);
  return {
    codes: [...codesIn(error), ...(inner === undefined ? [] : codesIn(inner))],
    text: text.toLowerCase(),
    error,
    ...(message === undefined ? {} : { message: inner === undefined ? message : (messageIn(inner) ?? message) }),
    ...(status === undefined ? {} : { status }),
  };
}

function plain(text: string): ErrorBody {
  const isPage = /^\s*</.test(text);
  return { codes: [], text: text.toLowerCase(), ...(isPage || text.trim() === '' ? {} : { message: text }) };
}

function messageIn(body: JsonObject): string | undefined {
  const nested = asObject(body.error);
  if (nested !== undefined) return messageIn(nested);
  return asText(body.message) ?? asText(body.error) ?? asText(body.detail) ?? asText(firstDetail(body));
}

function firstDetail(body: JsonObject): JsonValue | undefined {
  const first = asObject(asList(body.detail)[0]);
  return first?.msg ?? first?.message;
}

function codesIn(error: JsonObject): string[] {
  return [error.code, error.type, error.status].flatMap((code) =>
    typeof code === 'string' ? [code.toLowerCase()] : [],
  );
}

function isStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 300 && value < 600;
}
