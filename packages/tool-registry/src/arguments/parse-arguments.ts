import type { JsonObject } from '@hermes/providers';

export type ParsedArguments =
  | { readonly ok: true; readonly args: JsonObject; readonly repaired: boolean }
  /** `truncated`: the text was cut off, it must never be completed and run. */
  | { readonly ok: false; readonly reason: 'truncated' | 'not_object' | 'unparseable' };

/**
 * Reads the arguments text of a call (tools spec 4.3). Nothing and `None` mean no arguments. Broken JSON is mended only when it is
 * certain that it was not cut off: a text that ends inside a string is refused, because closing the string would run half a file.
 *
 * @example
 * await parseArguments('{"path": "a.txt",}'); // { ok: true, args: { path: 'a.txt' }, repaired: true }
 */
export async function parseArguments(text: string): Promise<ParsedArguments> {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'None' || trimmed === 'null') return { ok: true, args: {}, repaired: false };
  const strict = parseJson(trimmed);
  if (strict.ok) return asObject(strict.value, false);
  if (endsInsideString(trimmed)) return { ok: false, reason: 'truncated' };
  const { jsonrepair } = await import('jsonrepair');
  let repaired: string;
  try {
    repaired = jsonrepair(trimmed);
  } catch {
    return { ok: false, reason: 'unparseable' };
  }
  const mended = parseJson(repaired);
  return mended.ok ? asObject(mended.value, true) : { ok: false, reason: 'unparseable' };
}

function asObject(value: unknown, repaired: boolean): ParsedArguments {
  if (typeof value === 'string') {
    const inner = parseJson(value);
    if (inner.ok && isObject(inner.value)) return { ok: true, args: inner.value, repaired: true };
  }
  return isObject(value) ? { ok: true, args: value, repaired } : { ok: false, reason: 'not_object' };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** Whether a JSON-like text stops between the quotes of a double-quoted string. */
export function endsInsideString(text: string): boolean {
  let inside = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '\\' && inside) i++;
    else if (char === '"') inside = !inside;
  }
  return inside;
}
