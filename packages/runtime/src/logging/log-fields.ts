import { isSecretName } from '../environment/secret-names.ts';
import { mask } from './mask.ts';
import type { Redactor } from './redact.ts';

/** Longer texts are cut: a log line is for reading, not for keeping tool output. */
const LONGEST_TEXT = 8_192;
const DEEPEST = 6;
const MOST_ENTRIES = 100;

/**
 * A copy of anything that can be written as JSON: texts redacted and cut, values under secret names masked, errors
 * with their message and stack, circles and functions named. Never throws.
 */
export function loggable(value: unknown, redact: Redactor, depth = 0): unknown {
  if (typeof value === 'string') return cut(redact(value));
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (value === undefined) return undefined;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return `(${typeof value})`;
  if (depth >= DEEPEST) return '(deeper)';
  try {
    if (value instanceof Error) return loggableError(value, redact, depth);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? '(invalid date)' : value.toISOString();
    if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
    if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map((item) => loggable(item, redact, depth + 1));
    if ('toJSON' in value && typeof value.toJSON === 'function') return loggable(value.toJSON(), redact, depth + 1);
    return loggableEntries(value, redact, depth);
  } catch {
    return '(unreadable)';
  }
}

function loggableEntries(value: object, redact: Redactor, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value).slice(0, MOST_ENTRIES)) {
    copy[redact(key)] = typeof item === 'string' && isSecretName(key) ? mask(item) : loggable(item, redact, depth + 1);
  }
  return copy;
}

function loggableError(error: Error, redact: Redactor, depth: number): Record<string, unknown> {
  return {
    ...loggableEntries(error, redact, depth),
    name: error.name,
    message: cut(redact(error.message)),
    ...(error.stack === undefined ? {} : { stack: cut(redact(error.stack)) }),
    ...(error.cause === undefined ? {} : { cause: loggable(error.cause, redact, depth + 1) }),
  };
}

function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}... (${text.length} characters)`;
}
