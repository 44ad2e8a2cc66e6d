import { ExitCode } from '../errors/exit-code.ts';
import { HermesError } from '../errors/hermes-error.ts';
import { buildCatalog, canonicalName, findKey, type KeyNode, type KeySection, suggestKey } from './catalog.ts';
import { checkTree } from './check-tree.ts';
import { CONFIG_VERSION, type ConfigWarning, VERSION_KEY } from './checked-config.ts';
import { plainValue, typedValue } from './coerce.ts';
import { formatDottedName, isTree, resolveIn, splitDottedName, type Tree, valueIn } from './dotted-name.ts';
import { setInYaml, unsetInYaml } from './edit-yaml.ts';
import type { EffectClass } from './effect.ts';
import { readYaml } from './yaml-text.ts';

/** Names listed when a section is taken for a value. */
const MOST_CHILDREN = 8;

export interface PlannedChange {
  /** New text of the file; equal to the old one when nothing changes. */
  readonly text: string;
  readonly key: string;
  readonly value: unknown;
  /** Undefined for a key nobody knows. */
  readonly effect: EffectClass | undefined;
  readonly notes: readonly string[];
  readonly warnings: readonly ConfigWarning[];
}

export interface SetRules {
  /** Replaces a section by a value, and a value by a section. */
  readonly force: boolean;
  /** Refuses unknown keys. */
  readonly strict: boolean;
}

/** Works out what `config set NAME VALUE` makes of a file's text. Throws a `HermesError` for everything refused. */
export function planSet(path: string, text: string, name: string, typed: string, rules: SetRules): PlannedChange {
  const tree = writableTree(path, text);
  const catalog = buildCatalog();
  const { parts, notes } = canonicalParts(catalog, tree, name);
  const node = findKey(catalog, parts);
  const key = formatDottedName(parts);
  const value = node?.kind === 'leaf' ? typedValue(key, node, typed) : plainValue(typed);
  if (!rules.force) refuseReplacing(tree, node, parts, value);
  refuseShadowing(tree, parts);
  const warnings = node === undefined ? [unknownKey(catalog, parts, rules.strict)] : [];
  const edit = fileEdit(tree, parts, value);
  const changed = setInYaml(text, edit.path, edit.value);
  if (node !== undefined && node.kind !== 'leaf') refuseBadSection(changed, key);
  return { text: changed, key, value, effect: effectOf(node), notes: [...notes, ...edit.notes], warnings };
}

/** Works out what `config unset NAME` makes of a file's text. A key that is not there leaves it as it is. */
export function planUnset(path: string, text: string, name: string): PlannedChange {
  const tree = writableTree(path, text);
  const catalog = buildCatalog();
  const { parts, notes } = canonicalParts(catalog, tree, name);
  const node = findKey(catalog, parts);
  const scalarModel = parts.length === 2 && parts[0] === 'model' && parts[1] === 'default' && !isTree(tree['model']);
  const place = scalarModel ? ['model'] : parts;
  const present = valueIn(tree, place) !== undefined;
  return {
    text: present ? unsetInYaml(text, place) : text,
    key: formatDottedName(parts),
    value: undefined,
    effect: effectOf(node),
    notes,
    warnings: [],
  };
}

function writableTree(path: string, text: string): Tree {
  const read = readYaml(text);
  if ('fault' in read) {
    const { line, column, message } = read.fault;
    throw new HermesError(
      'config_broken',
      `${path} is broken at line ${line}, column ${column}: ${message}. Nothing was changed.`,
      {
        exitCode: ExitCode.config,
        hints: ['Repair it with: hermes config edit'],
      },
    );
  }
  const version = read.tree[VERSION_KEY];
  if (typeof version === 'number' && version > CONFIG_VERSION) {
    throw new HermesError(
      'config_newer',
      `${path} was written by a newer Hermes (version ${version}). Nothing was changed.`,
      {
        exitCode: ExitCode.config,
        hints: ['Update Hermes, or change the file by hand.'],
      },
    );
  }
  return read.tree;
}

/** The parts of a name under the names that count today; `model` alone is the model itself. */
function canonicalParts(catalog: KeySection, tree: Tree, name: string): { parts: string[]; notes: string[] } {
  const written = resolveIn(tree, splitDottedName(name));
  if (written.length === 1 && written[0] === 'model') return { parts: ['model', 'default'], notes: [] };
  const parts: string[] = [];
  for (const part of written) {
    const section = findKey(catalog, parts);
    parts.push((section === undefined ? undefined : canonicalName(section, part)) ?? part);
  }
  const renamed = parts.some((part, at) => part !== written[at]);
  return { parts, notes: renamed ? [`${formatDottedName(written)} is now called ${formatDottedName(parts)}.`] : [] };
}

function effectOf(node: KeyNode | undefined): EffectClass | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'leaf') return node.info.effect;
  return effectOf(node.kind === 'table' ? node.entry : [...node.children.values()][0]);
}

/** What to write where: a scalar `model` stays one while it can, and becomes a section when it must. */
function fileEdit(
  tree: Tree,
  parts: readonly string[],
  value: unknown,
): { path: readonly string[]; value: unknown; notes: string[] } {
  const model = tree['model'];
  const isScalarModel = parts[0] === 'model' && (typeof model === 'string' || typeof model === 'number');
  if (!isScalarModel) return { path: parts, value, notes: [] };
  if (parts.length === 2 && parts[1] === 'default') return { path: ['model'], value, notes: [] };
  const section = { default: String(model), [parts.slice(1).join('.')]: value };
  return { path: ['model'], value: section, notes: [`model became a section; model.default is ${String(model)}.`] };
}

/** A section is not replaced by a value, nor a value by a section, by accident (CLI spec 5.2 rule 4). */
function refuseReplacing(tree: Tree, node: KeyNode | undefined, parts: readonly string[], value: unknown): void {
  const key = formatDottedName(parts);
  for (let length = 1; length < parts.length; length++) {
    const above = valueIn(tree, parts.slice(0, length));
    if (above === undefined || above === null) break;
    if (isTree(above) || (length === 1 && parts[0] === 'model')) continue;
    throw usage(
      'not_a_section',
      `${formatDottedName(parts.slice(0, length))} holds a value, so it cannot have ${key}.`,
      ['Use --force to replace the value by a section.'],
    );
  }
  const present = valueIn(tree, parts);
  const isSection = (node !== undefined && node.kind !== 'leaf') || isTree(present);
  if (!isSection || isTree(value)) return;
  const known = node?.kind === 'section' ? [...node.children.keys()] : [];
  const children = [...new Set([...known, ...(isTree(present) ? Object.keys(present) : [])])];
  const listed = children.slice(0, MOST_CHILDREN).map((child) => formatDottedName([...parts, child]));
  const example =
    listed.length > 0
      ? `Set one of: ${listed.join(', ')}${children.length > MOST_CHILDREN ? ', ...' : ''}`
      : `Set a key in it, as in ${key}.NAME`;
  throw usage('is_a_section', `${key} is a section, not a value.`, [
    example,
    'Use --force to replace the whole section.',
  ]);
}

/** `a.b` must not come to stand next to a key that is literally called "a.b" or "a.c" (CLI spec 5.2 rule 5). */
function refuseShadowing(tree: Tree, parts: readonly string[]): void {
  for (let at = 0; at < parts.length - 1; at++) {
    const section = at === 0 ? tree : valueIn(tree, parts.slice(0, at));
    const name = parts[at] ?? '';
    if (!isTree(section)) return;
    if (Object.hasOwn(section, name)) continue;
    const sibling = Object.keys(section).find((key) => key.startsWith(`${name}.`));
    if (sibling === undefined) return;
    const escaped = formatDottedName([
      ...parts.slice(0, at),
      parts.slice(at, at + 2).join('.'),
      ...parts.slice(at + 2),
    ]);
    throw usage(
      'shadows_dotted_key',
      `${formatDottedName(parts)} would stand next to the key "${sibling}", whose name has a dot in it.`,
      [`If the dot belongs to the name, write: ${escaped}`],
    );
  }
}

function unknownKey(catalog: KeySection, parts: readonly string[], strict: boolean): ConfigWarning {
  const key = formatDottedName(parts);
  const suggestion = suggestKey(catalog, parts);
  const question = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  if (!strict)
    return { kind: 'unknown_key', key, message: `Unknown key ${key}: saved, but it has no effect.${question}` };
  throw new HermesError('unknown_key', `Unknown key ${key}.${question} Nothing was changed.`, {
    exitCode: ExitCode.config,
  });
}

/** A whole section given as a map must be right in all its keys. */
function refuseBadSection(text: string, key: string): void {
  const read = readYaml(text);
  if ('fault' in read) return;
  const bad = checkTree(read.tree).warnings.find(
    (warning) => warning.kind === 'wrong_type' && (warning.key === key || warning.key?.startsWith(`${key}.`)),
  );
  if (bad !== undefined)
    throw usage('bad_value', bad.message.replace(' The default is used.', ' Nothing was changed.'), []);
}

function usage(code: string, message: string, hints: readonly string[]): HermesError {
  return new HermesError(code, message, { exitCode: ExitCode.usage, hints });
}
