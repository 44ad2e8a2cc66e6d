import type { ConfigWarning } from './checked-config.ts';
import type { Config } from './config.ts';
import { formatDottedName, isTree } from './dotted-name.ts';
import { overlay } from './overlay.ts';

const REFERENCE = /\$\{([^{}]*)\}/g;
const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)$/;

/**
 * Replaces `${NAME}` and `${env:NAME}` in the values of a configuration, never in its keys and never twice. A name
 * that is not set stays as it is written, with one warning; so does every other form in braces (CLI spec 5.1).
 *
 * @example
 * expandReferences(values, (name) => secrets.get(name));
 */
export function expandReferences(
  values: Config,
  lookUp: (name: string) => string | undefined,
): { values: Config; warnings: ConfigWarning[] } {
  const warnings = new Map<string, ConfigWarning>();
  const expandText = (text: string, path: readonly string[]): string =>
    text.replace(REFERENCE, (reference, inner: string) => {
      const name = VARIABLE.exec(inner)?.[1];
      const value = name === undefined ? undefined : lookUp(name);
      if (value !== undefined) return value;
      const problem = name === undefined ? 'is not a reference Hermes knows' : 'is not set';
      const key = formatDottedName(path);
      const message = `${key}: ${reference} ${problem}; it stays as it is written.`;
      if (!warnings.has(reference)) warnings.set(reference, { kind: 'reference', key, message });
      return reference;
    });
  return { values: overlay(values, mapTexts(values, expandText, [])), warnings: [...warnings.values()] };
}

/** A copy of a section with every text in it replaced. */
function mapTexts(
  section: object,
  change: (text: string, path: readonly string[]) => string,
  path: readonly string[],
): object {
  const mapped: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(section)) {
    if (typeof value === 'string') mapped[key] = change(value, [...path, key]);
    else mapped[key] = isTree(value) ? mapTexts(value, change, [...path, key]) : value;
  }
  return mapped;
}
