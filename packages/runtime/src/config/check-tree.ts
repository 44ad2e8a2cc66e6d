import { redact } from '../logging/redact.ts';
import {
  buildCatalog,
  canonicalName,
  childOf,
  expectedValue,
  type KeyLeaf,
  type KeyNode,
  suggestKey,
} from './catalog.ts';
import { CONFIG_VERSION, type CheckedConfig, type ConfigWarning, VERSION_KEY } from './checked-config.ts';
import { naturalValue } from './coerce.ts';
import { formatDottedName, isTree, type Tree } from './dotted-name.ts';
import { configSchema } from './schema.ts';

/**
 * Checks the settings of a file against the schema. A value of the wrong type costs that one key, which falls back
 * to its default with a warning; unknown keys are reported with the nearest known one and otherwise left alone.
 */
export function checkTree(tree: Tree): CheckedConfig {
  const catalog = buildCatalog();
  const warnings: ConfigWarning[] = [];
  const known = new Picker(catalog, warnings).section(catalog, withModelSection(tree), []);
  noteVersion(tree, warnings);
  return { values: configSchema.parse(known), warnings };
}

/** A bare `model: x` is `model.default` (CLI spec 5.7). */
function withModelSection(tree: Tree): Tree {
  const model = tree['model'];
  return typeof model === 'string' || typeof model === 'number' ? { ...tree, model: { default: String(model) } } : tree;
}

function noteVersion(tree: Tree, warnings: ConfigWarning[]): void {
  const version = tree[VERSION_KEY];
  if (typeof version !== 'number' || version <= CONFIG_VERSION) return;
  warnings.push({
    kind: 'newer_version',
    key: VERSION_KEY,
    message: `The file was written by a newer Hermes (version ${version}, this one knows ${CONFIG_VERSION}). It is read but not changed.`,
  });
}

/** Copies what the catalog knows and the schema accepts out of a tree. */
class Picker {
  readonly #catalog: ReturnType<typeof buildCatalog>;
  readonly #warnings: ConfigWarning[];

  constructor(catalog: ReturnType<typeof buildCatalog>, warnings: ConfigWarning[]) {
    this.#catalog = catalog;
    this.#warnings = warnings;
  }

  section(node: KeyNode, tree: Tree, path: readonly string[]): Record<string, unknown> {
    const picked: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(tree)) {
      if (path.length === 0 && name === VERSION_KEY) continue;
      const canonical = canonicalName(node, name);
      if (canonical !== undefined) {
        this.#noteAlias([...path, name], canonical);
        if (Object.hasOwn(tree, canonical)) continue;
      }
      const key = canonical ?? name;
      const child = key === '__proto__' ? undefined : childOf(node, key);
      if (child === undefined) this.#noteUnknown([...path, name]);
      else {
        const taken = this.#value(child, value, [...path, key]);
        if (taken !== undefined) picked[key] = taken;
      }
    }
    return picked;
  }

  /** The value to use, undefined for the default. An empty section or key counts as not written. */
  #value(node: KeyNode, value: unknown, path: readonly string[]): unknown {
    if (node.kind === 'leaf') return this.#leaf(node, value, path);
    if (value === null) return {};
    if (isTree(value)) return this.section(node, value, path);
    this.#noteType(path, value, 'a section of its own keys');
    return undefined;
  }

  #leaf(leaf: KeyLeaf, value: unknown, path: readonly string[]): unknown {
    if (value === null) return leaf.info.nullable ? null : undefined;
    const natural = naturalValue(leaf, value);
    if (leaf.schema.safeParse(natural).success) return natural;
    this.#noteType(path, value, expectedValue(leaf));
    return undefined;
  }

  #noteType(path: readonly string[], found: unknown, expected: string): void {
    const key = formatDottedName(path);
    const message = `${key}: found ${shortly(found)}, expected ${expected}. The default is used.`;
    this.#warnings.push({ kind: 'wrong_type', key, message });
  }

  #noteUnknown(path: readonly string[]): void {
    const key = formatDottedName(path);
    const suggestion = suggestKey(this.#catalog, path);
    const message = `Unknown key ${key}: it is kept but has no effect.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`;
    this.#warnings.push({ kind: 'unknown_key', key, message });
  }

  #noteAlias(path: readonly string[], canonical: string): void {
    const key = formatDottedName(path);
    const message = `${key} is read as ${formatDottedName([...path.slice(0, -1), canonical])}.`;
    this.#warnings.push({ kind: 'alias', key, message });
  }
}

function shortly(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isTree(value)) return 'a section';
  const text = redact(JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
