import type { StrategyName } from '../replace/strategy.ts';
import { applyHunks, loosest } from './apply-hunks.ts';
import type { PatchOperation } from './patch-operation.ts';

/** A file before the patch: its text without byte order mark, or why it has none. */
export type InitialFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'opaque'; readonly reason: string };

/** What is to be written: `origin` is the file whose encoding and mode a written text takes, itself or the one moved here. */
export type FileChange =
  | { readonly kind: 'write'; readonly path: string; readonly origin: string; readonly text: string }
  /** A file that goes elsewhere as it is. */
  | { readonly kind: 'move'; readonly path: string; readonly origin: string }
  | { readonly kind: 'delete'; readonly path: string };

export interface AppliedPatch {
  /** Deletions last. Empty when there is a problem or nothing changes. */
  readonly changes: readonly FileChange[];
  readonly problems: readonly string[];
  readonly strategy: StrategyName | undefined;
  readonly exact: boolean;
  /** Paths that a hunk changed where it was not found exactly. */
  readonly inexactPaths: readonly string[];
}

/** A file in the overlay; `text` is undefined for one that cannot be edited as text. */
interface OverlayFile {
  readonly origin: string;
  readonly text: string | undefined;
  readonly reason?: string;
}

/**
 * Applies operations in order to an overlay of the files and reports every problem; nothing is written (tools spec 3.3, first
 * phase). Keys of `files` are the paths the operations name.
 */
export function applyOperations(
  operations: readonly PatchOperation[],
  files: ReadonlyMap<string, InitialFile>,
): AppliedPatch {
  const overlay = new Overlay(files);
  for (const operation of operations) overlay.apply(operation);
  const strategy = loosest(overlay.used);
  return {
    changes: overlay.problems.length > 0 ? [] : overlay.changes(),
    problems: overlay.problems,
    strategy,
    exact: strategy === undefined || strategy === 'exact',
    inexactPaths: [...overlay.inexact],
  };
}

class Overlay {
  readonly problems: string[] = [];
  readonly used: StrategyName[] = [];
  readonly inexact = new Set<string>();
  readonly #initial: ReadonlyMap<string, InitialFile>;
  readonly #current = new Map<string, OverlayFile>();

  constructor(files: ReadonlyMap<string, InitialFile>) {
    this.#initial = files;
    for (const [path, file] of files) {
      if (file.kind === 'text') this.#current.set(path, { origin: path, text: file.text });
      if (file.kind === 'opaque') this.#current.set(path, { origin: path, text: undefined, reason: file.reason });
    }
  }

  apply(operation: PatchOperation): void {
    const { kind, path } = operation;
    if (kind === 'add') return this.#add(path, operation.content);
    const file = this.#current.get(path);
    if (!file) return void this.problems.push(`${path}: no such file to ${kind}.`);
    if (kind === 'delete') return void this.#current.delete(path);
    const edited = kind === 'update' ? this.#edit(operation, file) : file;
    this.#current.set(path, edited);
    if (operation.moveTo !== undefined) this.#move(path, operation.moveTo, edited);
  }

  #add(path: string, content: string): void {
    if (this.#current.has(path)) {
      this.problems.push(`${path}: Add File onto an existing file. Use Update File, or Delete File first.`);
    } else this.#current.set(path, { origin: path, text: content });
  }

  #move(path: string, target: string, file: OverlayFile): void {
    if (this.#current.has(target)) {
      this.problems.push(`${path}: cannot move to ${target}, which exists. Delete it first or choose another name.`);
      return;
    }
    this.#current.delete(path);
    this.#current.set(target, file);
  }

  #edit(operation: PatchOperation & { kind: 'update' }, file: OverlayFile): OverlayFile {
    if (file.text === undefined) {
      this.problems.push(`${operation.path}: ${file.reason ?? 'it is not text.'}`);
      return file;
    }
    const result = applyHunks(file.text, operation.hunks);
    this.problems.push(...result.problems.map((problem) => `${operation.path}: ${problem}`));
    if (result.strategy !== undefined) this.used.push(result.strategy);
    if (result.strategy !== undefined && result.strategy !== 'exact') this.inexact.add(file.origin);
    return { ...file, text: result.text };
  }

  changes(): FileChange[] {
    const writes: FileChange[] = [];
    for (const [path, file] of this.#current) {
      const original = this.#initial.get(file.origin);
      const unchanged = file.text === undefined || (original?.kind === 'text' && original.text === file.text);
      if (unchanged && file.origin !== path) writes.push({ kind: 'move', path, origin: file.origin });
      if (!unchanged && file.text !== undefined)
        writes.push({ kind: 'write', path, origin: file.origin, text: file.text });
    }
    const gone = [...this.#initial].filter(([path, file]) => file.kind !== 'missing' && !this.#current.has(path));
    return [...writes, ...gone.map(([path]): FileChange => ({ kind: 'delete', path }))];
  }
}
