import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectories } from '../files/make-directories.ts';
import { writeFileAtomic } from '../files/write-file-atomic.ts';
import type { CheckedConfig, ConfigWarning } from './checked-config.ts';
import { type Config, DEFAULT_CONFIG } from './config.ts';
import { isTree } from './dotted-name.ts';

/**
 * Changes whenever the schema does, so that a cache made by another version is not believed. A test computes it
 * from the schema and names the new value when it is out of date.
 */
export const SCHEMA_FINGERPRINT = 'd46b08eb2e20';

/**
 * The checked form of exactly this text, if an earlier start left it. Parsing and checking cost some forty
 * milliseconds, nearly all of it spent loading the libraries; reading the result back costs less than one.
 */
export function readCachedConfig(path: string, text: string): CheckedConfig | undefined {
  try {
    const entry: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isTree(entry) || entry['key'] !== cacheKey(text)) return undefined;
    const { values, warnings } = entry;
    return isConfig(values) && isWarningList(warnings) ? { values, warnings } : undefined;
  } catch {
    return undefined;
  }
}

/** Leaves the checked form for the next start. A cache that cannot be written is no loss. */
export async function writeCachedConfig(path: string, text: string, checked: CheckedConfig): Promise<void> {
  try {
    makeDirectories(dirname(path), 0o700);
    await writeFileAtomic(path, JSON.stringify({ key: cacheKey(text), ...checked }), { mode: 0o600 });
  } catch {
    // The next start parses the file again.
  }
}

function cacheKey(text: string): string {
  return `${SCHEMA_FINGERPRINT} ${hash('sha256', text)}`;
}

/** The cache is a file like any other: what does not have the shape of a configuration is not one. */
function isConfig(value: unknown): value is Config {
  return isTree(value) && hasShape(value, DEFAULT_CONFIG) && isTree(value['providers']);
}

function hasShape(value: unknown, model: unknown): boolean {
  if (isTree(model)) return isTree(value) && Object.entries(model).every(([key, item]) => hasShape(value[key], item));
  if (model === null) return value === null || typeof value === 'number';
  return typeof value === typeof model;
}

function isWarningList(value: unknown): value is readonly ConfigWarning[] {
  return Array.isArray(value) && value.every((item) => isTree(item) && typeof item['message'] === 'string');
}
