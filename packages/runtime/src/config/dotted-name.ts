import { ExitCode } from '../errors/exit-code.ts';
import { HermesError } from '../errors/hermes-error.ts';

/**
 * The parts of a dotted name. A dot that belongs to a part is written `\.`, a backslash before it `\\`.
 * Throws a usage error for an empty part.
 *
 * @example
 * splitDottedName('providers.x.models.gpt-4\\.1'); // ['providers', 'x', 'models', 'gpt-4.1']
 */
export function splitDottedName(name: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < name.length; at++) {
    const char = name.charAt(at);
    const next = name.charAt(at + 1);
    if (char === '\\' && (next === '.' || next === '\\')) {
      part += next;
      at++;
    } else if (char === '.') {
      parts.push(part);
      part = '';
    } else part += char;
  }
  parts.push(part);
  if (parts.includes('')) {
    throw new HermesError('empty_key', `"${name}" is not a key: a part of it is empty.`, {
      exitCode: ExitCode.usage,
      hints: ['A key looks like terminal.timeout; a dot inside a part is written \\.'],
    });
  }
  return parts;
}

/** The dotted name of some parts; the reverse of `splitDottedName`. */
export function formatDottedName(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/\\(?=[\\.]|$)|\./g, (char) => `\\${char}`)).join('.');
}

/**
 * Where a name leads in an existing tree: at every level a key that is literally there, dots included, wins over
 * taking the dots as levels (CLI spec 5.2 rule 5).
 *
 * @example
 * resolveIn({ models: { 'gpt-4.1': {} } }, ['models', 'gpt-4', '1', 'x']); // ['models', 'gpt-4.1', 'x']
 */
export function resolveIn(tree: unknown, parts: readonly string[]): string[] {
  const path: string[] = [];
  let here = tree;
  for (let at = 0; at < parts.length; ) {
    const taken = isTree(here) ? literalLength(here, parts.slice(at)) : 1;
    const key = parts.slice(at, at + taken).join('.');
    path.push(key);
    here = valueIn(here, [key]);
    at += taken;
  }
  return path;
}

function literalLength(tree: Tree, parts: readonly string[]): number {
  for (let length = parts.length; length > 1; length--) {
    if (Object.hasOwn(tree, parts.slice(0, length).join('.'))) return length;
  }
  return 1;
}

export type Tree = Readonly<Record<string, unknown>>;

/** Whether a value is a section: a mapping, not a list and not null. */
export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path, undefined when there is none. */
export function valueIn(tree: unknown, path: readonly string[]): unknown {
  let here = tree;
  for (const key of path) here = isTree(here) && Object.hasOwn(here, key) ? here[key] : undefined;
  return here;
}
