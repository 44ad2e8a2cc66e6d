import * as z from 'zod';
import { nearest } from '../text/nearest.ts';
import { formatDottedName } from './dotted-name.ts';
import { configSchema, type KeyInfo, keyInfo } from './schema.ts';

export interface KeyLeaf {
  readonly kind: 'leaf';
  readonly info: KeyInfo;
  readonly schema: z.ZodType;
  readonly default: unknown;
}

export interface KeySection {
  readonly kind: 'section';
  readonly children: ReadonlyMap<string, KeyNode>;
}

/** A section whose names the user chooses: providers, models. */
interface KeyTable {
  readonly kind: 'table';
  readonly entry: KeyNode;
}

export type KeyNode = KeyLeaf | KeySection | KeyTable;

/** Former and foreign names of keys, by the name they had in their section. */
const ALIASES: Readonly<Record<string, string>> = { api_base: 'base_url' };

/** The keys as a tree, read out of the schema. */
export function buildCatalog(): KeySection {
  const root = nodeOf(configSchema);
  if (root.kind !== 'section') throw new Error('The configuration schema must be an object.');
  return root;
}

function nodeOf(schema: z.core.$ZodType): KeyNode {
  const info = keyInfo.get(schema);
  if (info !== undefined && schema instanceof z.ZodType) {
    return { kind: 'leaf', info, schema, default: schema.parse(undefined) };
  }
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault) return nodeOf(schema.unwrap());
  if (schema instanceof z.ZodRecord) return { kind: 'table', entry: nodeOf(schema.valueType) };
  if (schema instanceof z.ZodObject) {
    const shape: Record<string, z.core.$ZodType> = schema.shape;
    return { kind: 'section', children: new Map(Object.entries(shape).map(([key, child]) => [key, nodeOf(child)])) };
  }
  throw new Error('A key of the configuration schema has no information.');
}

/** The part of the catalog a name inside a section or table leads to. */
export function childOf(node: KeyNode, name: string): KeyNode | undefined {
  if (node.kind === 'section') return node.children.get(name);
  return node.kind === 'table' ? node.entry : undefined;
}

export function findKey(catalog: KeyNode, path: readonly string[]): KeyNode | undefined {
  let node: KeyNode | undefined = catalog;
  for (const name of path) node = node === undefined ? undefined : childOf(node, name);
  return node;
}

/** The present name of a key that is written under a former one; undefined when `name` is no such name. */
export function canonicalName(node: KeyNode, name: string): string | undefined {
  const canonical = ALIASES[name];
  const known = node.kind !== 'section' || node.children.has(name);
  return known || canonical === undefined || !node.children.has(canonical) ? undefined : canonical;
}

/**
 * The known key that an unknown one was probably meant to be: each part corrected by the nearest name of its place,
 * or else the one key whose last part is the same.
 */
export function suggestKey(catalog: KeySection, path: readonly string[]): string | undefined {
  const corrected: string[] = [];
  let node: KeyNode | undefined = catalog;
  for (const name of path) {
    let child: KeyNode | undefined = node === undefined ? undefined : childOf(node, name);
    let fitting = name;
    if (child === undefined && node?.kind === 'section') {
      fitting = nearest(name, node.children.keys(), 1)[0] ?? name;
      child = node.children.get(fitting);
    }
    corrected.push(fitting);
    node = child;
  }
  if (node !== undefined) return formatDottedName(corrected);
  const sameEnding = listKeys(catalog).filter((key) => key.path.at(-1) === path.at(-1) && !key.path.includes('<id>'));
  return sameEnding.length === 1 ? sameEnding[0]?.path.join('.') : undefined;
}

export interface ListedKey {
  /** Parts of the name; a place where the user chooses the name reads `<id>`. */
  readonly path: readonly string[];
  readonly leaf: KeyLeaf;
}

/** Every key in the order of the schema. */
export function listKeys(node: KeyNode, path: readonly string[] = []): ListedKey[] {
  if (node.kind === 'leaf') return [{ path, leaf: node }];
  if (node.kind === 'table') return listKeys(node.entry, [...path, '<id>']);
  return [...node.children].flatMap(([name, child]) => listKeys(child, [...path, name]));
}

/** What a value of this key looks like, for messages: "one of a, b", "a whole number from 1". */
export function expectedValue({ info }: KeyLeaf): string {
  const forms: string[] = [];
  if (info.kind === 'text') forms.push('a text');
  if (info.kind === 'switch') forms.push('true or false');
  if (info.kind === 'choice') forms.push(`one of ${(info.allowed ?? []).join(', ')}`);
  if (info.kind === 'number') forms.push(`a ${info.whole ? 'whole ' : ''}number from ${info.min ?? 0}`);
  if (info.nullable) forms.push('null');
  return forms.join(' or ');
}
