import { chmod, mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, writeFileAtomic } from '@hermes/runtime';
import { isRefusal, openRegular } from '../../files/open-file.ts';

/** A path as it was before anything was written. */
export interface PreImage {
  readonly path: string;
  /** Undefined: nothing was there. */
  readonly file: { readonly bytes: Buffer; readonly mode: number } | undefined;
}

/** Takes the bytes and mode of a real path; throws when something is there that cannot be read. */
export async function takePreImage(path: string): Promise<PreImage> {
  const opened = await openRegular(path);
  if (isRefusal(opened)) {
    if (opened.kind === 'missing') return { path, file: undefined };
    throw new Error(opened.error);
  }
  try {
    return { path, file: { bytes: await opened.handle.readFile(), mode: opened.stats.mode & 0o7777 } };
  } finally {
    await opened.handle.close();
  }
}

/** Brings a path back to what it was. */
export async function restore({ path, file }: PreImage): Promise<void> {
  if (!file) return await removeIfThere(path);
  await writeFileAtomic(path, file.bytes, { mode: file.mode });
  await chmod(path, file.mode);
}

/** A file stands where the folder of the path should be: then nothing of that name is there. */
async function removeIfThere(path: string): Promise<void> {
  await rm(path, { force: true }).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOTDIR') throw error;
  });
}

/** Creates the folders above a path; answers those that were not there, deepest first. */
export async function createFolders(path: string): Promise<string[]> {
  const topmost = await mkdir(dirname(path), { recursive: true });
  const created: string[] = [];
  if (topmost === undefined) return created;
  for (let folder = dirname(path); folder.length >= topmost.length; folder = dirname(folder)) created.push(folder);
  return created;
}

/** Removes folders that are still empty. */
export async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => undefined);
}
