import type { JsonObject, JsonValue } from './message.ts';

/** The value as an object, or `undefined` when it is anything else. For JSON whose shape nobody guarantees. */
export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** The elements of a list; none when the value is anything else. */
export function asList(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a text that is not empty. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Parses JSON; `undefined` for text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
