import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { type StateKey, stateKey, type ToolContext } from '@hermes/tool-registry';

/** Files up to this size, in bytes, are compared by content; larger ones by size and time of change. */
export const DIGEST_MAX_BYTES = 1024 * 1024;

/** What is compared to tell whether a file changed. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  /** Of small files: the digest of the bytes, see `digestOf`. */
  readonly digest?: string | undefined;
}

const KNOWN_FILES: StateKey<Map<string, FileStamp>> = stateKey('knownFiles', () => new Map());

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Remembers that the session has seen a file as it is. `path` is the real path. */
export function noteRead(ctx: ToolContext, path: string, stamp: FileStamp): void {
  ctx.state.of(KNOWN_FILES).set(path, { size: stamp.size, mtimeMs: stamp.mtimeMs, digest: stamp.digest });
}

/** Remembers what the session itself wrote, so that its own change is no surprise to it later. */
export function noteWrite(ctx: ToolContext, path: string, stamp: FileStamp): void {
  noteRead(ctx, path, stamp);
}

/**
 * Whether a file is still as this session last read or wrote it. A vanished file counts as changed. A new time of change with
 * the same bytes is the same.
 *
 * @example
 * if ((await changedSinceRead(ctx, place.real)) === 'changed') warnings.push('…');
 */
export async function changedSinceRead(ctx: ToolContext, path: string): Promise<'unread' | 'same' | 'changed'> {
  const known = ctx.state.of(KNOWN_FILES).get(path);
  if (known === undefined) return 'unread';
  const now = await stat(path).catch(() => undefined);
  if (now === undefined || now.size !== known.size) return 'changed';
  if (known.digest === undefined) return now.mtimeMs === known.mtimeMs ? 'same' : 'changed';
  const bytes = await readFile(path).catch(() => undefined);
  return bytes !== undefined && digestOf(bytes) === known.digest ? 'same' : 'changed';
}
