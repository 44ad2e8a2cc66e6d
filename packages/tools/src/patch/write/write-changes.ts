import { chmod, rm, stat } from 'node:fs/promises';
import { fileError, writeFileAtomic } from '@hermes/runtime';
import type { FileStamp } from '../../files/read-tracker.ts';
import type { Encoding } from '../../files/text-encoding.ts';
import { writeTextFile } from '../../files/text-file.ts';
import type { FileChange } from '../v4a/apply-operations.ts';
import { createFolders, type PreImage, removeFolders, restore, takePreImage } from './pre-image.ts';

/** Either all changes were made, or none: then `error` says why, and `lost` names what could not be brought back. */
export type WriteResult =
  | { readonly kind: 'written'; readonly stamps: ReadonlyMap<string, FileStamp> }
  | { readonly kind: 'failed'; readonly error: string; readonly lost: readonly string[] };

/**
 * Makes all changes or none (tools spec 3.3, second phase): what every path held is kept until the last write succeeded, and brought
 * back when one fails. Paths are real paths; `encodings` are those of the files that texts come from.
 */
export async function writeChanges(
  changes: readonly FileChange[],
  encodings: ReadonlyMap<string, Encoding>,
): Promise<WriteResult> {
  const before = new Map<string, PreImage>();
  const folders: string[] = [];
  const touched: PreImage[] = [];
  const stamps = new Map<string, FileStamp>();
  let current = '';
  try {
    for (const path of new Set(changes.flatMap(pathsOfChange))) {
      current = path;
      before.set(path, await takePreImage(path));
    }
    for (const change of changes) {
      current = change.path;
      const own = before.get(change.path);
      if (own) touched.push(own);
      if (change.kind !== 'delete') folders.unshift(...(await createFolders(change.path)));
      const stamp = await makeChange(change, before, encodings);
      if (stamp) stamps.set(change.path, stamp);
    }
    return { kind: 'written', stamps };
  } catch (error) {
    const lost = await restoreAll(touched);
    await removeFolders(folders);
    const { message, hints } = fileError('write', current, error);
    return { kind: 'failed', error: [message, ...hints].join(' '), lost };
  }
}

function pathsOfChange(change: FileChange): string[] {
  return change.kind === 'delete' ? [change.path] : [change.path, change.origin];
}

async function makeChange(
  change: FileChange,
  before: ReadonlyMap<string, PreImage>,
  encodings: ReadonlyMap<string, Encoding>,
): Promise<FileStamp | undefined> {
  if (change.kind === 'delete') {
    await rm(change.path);
    return undefined;
  }
  const origin = before.get(change.origin)?.file;
  if (change.kind === 'write') {
    const encoding = encodings.get(change.origin) ?? 'utf8';
    if (change.origin === change.path) return (await writeTextFile(change.path, change.text, encoding)).stamp;
    const { stamp } = await writeTextFile(change.path, change.text, encoding, origin?.mode);
    if (origin) await chmod(change.path, origin.mode);
    return stamp;
  }
  if (!origin) throw new Error(`${change.origin} vanished before it could be moved`);
  await writeFileAtomic(change.path, origin.bytes, { mode: origin.mode });
  await chmod(change.path, origin.mode);
  const { size, mtimeMs } = await stat(change.path);
  return { size, mtimeMs };
}

/** Restores in reverse order; answers the paths that could not be restored. */
async function restoreAll(touched: readonly PreImage[]): Promise<string[]> {
  const lost: string[] = [];
  for (const image of touched.toReversed()) {
    await restore(image).catch(() => lost.push(image.path));
  }
  return lost;
}
