/** A piece of an update: where to look, what stands there, and what shall stand there; lines without ends. */
export interface Hunk {
  /** Texts of lines above the place, outermost first. */
  readonly hints: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Where the hunk begins in the patch, from 1. */
  readonly patchLine: number;
}

/** What a V4A patch does to one file. Paths are as written in the patch, until they are resolved. */
export type PatchOperation =
  | { readonly kind: 'update'; readonly path: string; readonly moveTo?: string; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'move'; readonly path: string; readonly moveTo: string };

/** Every path an operation touches: its file, then its target. */
export function pathsOf(operation: PatchOperation): string[] {
  const target = 'moveTo' in operation ? operation.moveTo : undefined;
  return target === undefined ? [operation.path] : [operation.path, target];
}
