import { type Document, LineCounter, parseDocument, visit } from 'yaml';
import { messageOf } from '../errors/hermes-error.ts';
import { isTree, type Tree } from './dotted-name.ts';

/** Where and why a text is not a configuration; line and column start at 1. */
export interface YamlFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface YamlText {
  readonly document: Document.Parsed;
  /** The settings as written; empty for a text of comments. */
  readonly tree: Tree;
  /** Keys written twice in one section. */
  readonly duplicates: readonly YamlFault[];
}

/**
 * Reads a configuration text. What older YAML readers accept is accepted: a key written twice (the last counts) and
 * merge keys. Everything else that is wrong, a top level that is no mapping included, is one fault with its place.
 */
export function readYaml(text: string): YamlText | { readonly fault: YamlFault } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false, logLevel: 'error' });
  const faultAt = (offset: number, message: string): YamlFault => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col), message };
  };
  const faults = document.errors.map((error) => ({
    duplicate: error.code === 'DUPLICATE_KEY',
    ...faultAt(error.pos[0], firstLine(error.message)),
  }));
  const broken = faults.find((fault) => !fault.duplicate);
  if (broken !== undefined) return { fault: { line: broken.line, column: broken.column, message: broken.message } };
  const loose = unresolvedAlias(document);
  if (loose !== undefined) return { fault: faultAt(loose.offset, `Nothing is named &${loose.name}`) };
  try {
    const tree: unknown = document.toJS() ?? {};
    if (isTree(tree)) return { document, tree, duplicates: faults.filter((fault) => fault.duplicate) };
    return { fault: faultAt(document.contents?.range[0] ?? 0, 'The file must be a list of "key: value" lines') };
  } catch (error) {
    return { fault: faultAt(0, firstLine(messageOf(error))) };
  }
}

function unresolvedAlias(document: Document.Parsed): { name: string; offset: number } | undefined {
  let found: { name: string; offset: number } | undefined;
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document) !== undefined) return undefined;
      found = { name: alias.source, offset: alias.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return found;
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message;
}
