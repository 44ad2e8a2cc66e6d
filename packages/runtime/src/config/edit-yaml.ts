import { isDeepStrictEqual } from 'node:util';
import { Document, isMap, isScalar, type Pair, parseDocument, Scalar, stringify, type YAMLMap } from 'yaml';
import { ExitCode } from '../errors/exit-code.ts';
import { HermesError } from '../errors/hermes-error.ts';
import { isTree, type Tree } from './dotted-name.ts';
import { readYaml } from './yaml-text.ts';

const QUOTED: ReadonlySet<string> = new Set([Scalar.QUOTE_DOUBLE, Scalar.QUOTE_SINGLE]);
const INLINE: ReadonlySet<string | undefined> = new Set([Scalar.PLAIN, ...QUOTED]);

/**
 * The text with the value at `path` set. Only the lines of that key change: every other byte, comment and blank line
 * stays. Missing sections are added at the end of the section they belong to. Throws when the place cannot be changed
 * without touching something else, as inside a list or through an alias.
 */
export function setInYaml(text: string, path: readonly string[], value: unknown): string {
  const expected = withValue(treeOf(text), path, value);
  return firstThatFits(expected, [
    () => spliceValue(text, path, value),
    () => spliceFlow(text, path, (section, inner) => withValue(section, inner, value)),
    () => {
      const document = parseDocument(text, { merge: true });
      document.setIn(path, document.createNode(value));
      return document.toString({ lineWidth: 0, flowCollectionPadding: false });
    },
  ]);
}

/** The text without the key at `path`; a section that would be left empty goes too. */
export function unsetInYaml(text: string, path: readonly string[]): string {
  const tree = treeOf(text);
  const gone = highestLonely(tree, path);
  return firstThatFits(withoutKey(tree, gone), [
    () => spliceKey(text, gone),
    () => spliceFlow(text, gone, withoutKey),
    () => {
      const document = parseDocument(text, { merge: true });
      document.deleteIn(gone);
      return document.toString({ lineWidth: 0, flowCollectionPadding: false });
    },
  ]);
}

/** An edit counts only when reading the result gives exactly the tree that was meant. */
function firstThatFits(expected: Tree, edits: readonly (() => string | undefined)[]): string {
  for (const edit of edits) {
    try {
      const edited = edit();
      if (edited !== undefined && isDeepStrictEqual(treeOf(edited), expected)) return edited;
    } catch {
      // The next way may be able to.
    }
  }
  throw new HermesError(
    'config_not_editable',
    'This part of config.yaml is written in a way that cannot be changed here.',
    {
      exitCode: ExitCode.config,
      hints: ['Change it by hand with: hermes config edit'],
    },
  );
}

function treeOf(text: string): Tree {
  const read = readYaml(text);
  if ('fault' in read) throw new Error(read.fault.message);
  return read.tree;
}

function withValue(tree: Tree, path: readonly string[], value: unknown): Tree {
  const [key, ...rest] = path;
  if (key === undefined) return tree;
  const under = Object.hasOwn(tree, key) ? tree[key] : undefined;
  return { ...tree, [key]: rest.length === 0 ? value : withValue(isTree(under) ? under : {}, rest, value) };
}

function withoutKey(tree: Tree, path: readonly string[]): Tree {
  const [key, ...rest] = path;
  if (key === undefined) return tree;
  const { [key]: under, ...others } = tree;
  return rest.length === 0 ? others : { ...tree, [key]: isTree(under) ? withoutKey(under, rest) : under };
}

/** The key to remove so that no empty section stays behind. */
function highestLonely(tree: Tree, path: readonly string[]): readonly string[] {
  const sections: unknown[] = [tree];
  for (const key of path) {
    const here = sections.at(-1);
    sections.push(isTree(here) ? here[key] : undefined);
  }
  let length = path.length;
  while (length > 1) {
    const section = sections[length - 1];
    if (!isTree(section) || Object.keys(section).length > 1) break;
    length--;
  }
  return path.slice(0, length);
}

interface Place {
  /** Deepest section on the path that is there. */
  readonly map: YAMLMap;
  /** The entry of that section the path goes on with, when it is there. */
  readonly pair: Pair | undefined;
  /** The part of the path from that entry on. */
  readonly rest: readonly string[];
}

function placeOf(root: YAMLMap, path: readonly string[]): Place {
  let map = root;
  for (let at = 0; ; at++) {
    const pair = entryOf(map, path[at]);
    if (pair === undefined || at === path.length - 1 || !isMap(pair.value)) return { map, pair, rest: path.slice(at) };
    map = pair.value;
  }
}

function entryOf(map: YAMLMap, key: string | undefined): Pair | undefined {
  return map.items.findLast((item) => String(isScalar(item.key) ? item.key.value : item.key) === key);
}

function spliceValue(text: string, path: readonly string[], value: unknown): string | undefined {
  const root = parseDocument(text, { merge: true }).contents;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  if (root === null) return joinLines(text, text.length, entryLines(path, value, 0, newline), newline);
  if (!isMap(root)) return undefined;
  const { map, pair, rest } = placeOf(root, path);
  if (pair !== undefined && rest.length === 1 && isScalar(pair.value) && !isTree(value) && !Array.isArray(value)) {
    const inline = spliceScalar(text, pair.value, value);
    if (inline !== undefined) return inline;
  }
  if (map.flow) return undefined;
  const indent = columnOf(text, startOf(pair ?? map.items[0]));
  const lines = entryLines(rest, value, indent, newline);
  if (pair === undefined) {
    const end = map === root ? text.length : endOfLines(text, map.items.at(-1));
    return joinLines(text, end, lines, newline);
  }
  if (rest.length > 1 && isEmpty(pair.value)) {
    const inner = entryLines(rest.slice(1), value, indent + 2, newline);
    return joinLines(text, endOfLines(text, pair), inner, newline);
  }
  return text.slice(0, lineStart(text, startOf(pair))) + lines + text.slice(endOfLines(text, pair));
}

/** Rewrites the outermost `{...}` on the path, and nothing else. */
function spliceFlow(
  text: string,
  path: readonly string[],
  change: (section: Tree, path: readonly string[]) => Tree,
): string | undefined {
  let node: unknown = parseDocument(text, { merge: true }).contents;
  let at = 0;
  for (; isMap(node) && !node.flow && at < path.length; at++) node = entryOf(node, path[at])?.value;
  if (!isMap(node) || !node.flow || !node.range || node.anchor !== undefined) return undefined;
  const section: unknown = node.toJSON();
  if (!isTree(section)) return undefined;
  const document = new Document();
  document.contents = document.createNode(change(section, path.slice(at)), { flow: true });
  const rendered = document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd();
  return text.slice(0, node.range[0]) + rendered + text.slice(node.range[1]);
}

/** Replaces a one-line value where it stands, in its own quotes. */
function spliceScalar(text: string, scalar: Scalar, value: unknown): string | undefined {
  const range = scalar.range;
  if (!range || scalar.anchor !== undefined || scalar.tag !== undefined || !INLINE.has(scalar.type)) return undefined;
  const quotes = QUOTED.has(scalar.type ?? '') ? scalar.type : undefined;
  const rendered = renderScalar(value, quotes);
  const gap = range[0] > 0 && text[range[0] - 1] === ':' ? ' ' : '';
  return text.slice(0, range[0]) + gap + rendered + text.slice(range[1]);
}

function spliceKey(text: string, path: readonly string[]): string | undefined {
  const root = parseDocument(text, { merge: true }).contents;
  if (!isMap(root)) return undefined;
  const { map, pair, rest } = placeOf(root, path);
  if (pair === undefined || rest.length !== 1 || map.flow) return undefined;
  return text.slice(0, lineStart(text, startOf(pair))) + text.slice(endOfLines(text, pair));
}

/** A value on one line. Words that older YAML readers take for switches are put into quotes. */
function renderScalar(value: unknown, quotes: Scalar.Type | undefined): string {
  const oneLine = typeof value === 'string' && value.includes('\n') ? Scalar.QUOTE_DOUBLE : quotes;
  const style = oneLine === undefined ? {} : { defaultStringType: oneLine };
  return stringify(value, { ...style, lineWidth: 0, compat: 'yaml-1.1' } as const).trimEnd();
}

function entryLines(path: readonly string[], value: unknown, indent: number, newline: string): string {
  const nested = path.reduceRight<unknown>((inner, key) => new Map([[key, inner]]), value);
  return stringify(nested, { lineWidth: 0, compat: 'yaml-1.1' })
    .split('\n')
    .map((line) => (line === '' ? '' : ' '.repeat(indent) + line))
    .join(newline);
}

function joinLines(text: string, at: number, lines: string, newline: string): string {
  const before = text.slice(0, at);
  const separator = before === '' || before.endsWith('\n') ? '' : newline;
  return before + separator + lines + text.slice(at);
}

function startOf(pair: Pair | undefined): number {
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

/** Start of the line after the last one an entry takes. */
function endOfLines(text: string, pair: Pair | undefined): number {
  const end = contentEnd(pair);
  if (end > 0 && text[end - 1] === '\n') return end;
  const newline = text.indexOf('\n', end);
  return newline === -1 ? text.length : newline + 1;
}

function contentEnd(pair: Pair | undefined): number {
  const { key, value } = pair ?? {};
  if (isMap(value) && !value.flow && value.items.length > 0) return contentEnd(value.items.at(-1));
  if (isNodeWithRange(value)) return value.range[1];
  return isNodeWithRange(key) ? key.range[1] : 0;
}

/** A key with nothing after its colon. */
function isEmpty(value: unknown): boolean {
  return isScalar(value) && value.value === null && isNodeWithRange(value) && value.range[0] === value.range[1];
}

function isNodeWithRange(node: unknown): node is { range: [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}
