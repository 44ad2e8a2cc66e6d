import { constants } from 'node:fs';
import { link, lstat, open, readlink, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { randomHex } from '../ids/ulid.ts';
import { errorCode, fileError } from './file-error.ts';

/** Mode of a new file when the caller names none. */
const DEFAULT_MODE = 0o644;
/** As many links as Linux follows before it gives up. */
const MAX_LINKS = 40;
/** Answers of file systems that have no hard links. */
const NO_HARD_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

export interface WriteOptions {
  /** Permission bits. Without it an existing file keeps its own and a new one gets 0644. */
  readonly mode?: number;
}

/**
 * Replaces a file as one step: a reader, and the disk after a power cut, holds the old bytes or the new ones. The
 * data goes to a temporary file in the same directory, is flushed, and is renamed over the target; the mode is set
 * when the temporary file is opened, so a secret is never readable by others for a moment. A symbolic link is
 * followed and stays a link (CLI spec 4.1).
 *
 * Throws a `HermesError` that names the path and the reason; the target is then unchanged and nothing is left over.
 *
 * @example
 * await writeFileAtomic('/home/ada/.hermes/config.yaml', text, { mode: 0o600 });
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  try {
    const target = await followLinks(path);
    const kept = options.mode === undefined ? await modeOf(target) : undefined;
    await throughTemporary(target, data, { mode: options.mode ?? kept ?? DEFAULT_MODE, kept }, async (temporary) => {
      await rename(temporary, target);
      return true;
    });
  } catch (error) {
    throw fileError('write', path, error);
  }
}

/**
 * Writes a file only when nothing of that name exists, complete from the first moment it is visible. Answers
 * whether it was written; an existing file, also one made by another process meanwhile, is never touched.
 *
 * @example
 * if (await createFileAtomic(paths.env, '', { mode: 0o600 })) notes.push('created .env');
 */
export async function createFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<boolean> {
  try {
    const mode = options.mode ?? DEFAULT_MODE;
    return await throughTemporary(path, data, { mode, kept: undefined }, (temporary) => publish(temporary, path));
  } catch (error) {
    throw fileError('create', path, error);
  }
}

/** Gives the finished temporary file its name unless the name is taken. */
async function publish(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code === 'EEXIST') return false;
    if (!NO_HARD_LINKS.has(code)) throw error;
  }
  if ((await statusOf(path)) !== undefined) return false;
  await rename(temporary, path);
  return true;
}

interface Modes {
  /** Given when the file is opened, so the process mask applies. */
  readonly mode: number;
  /** Mode of the file being replaced, to be kept whatever the mask says. */
  readonly kept: number | undefined;
}

async function throughTemporary(
  target: string,
  data: string | Uint8Array,
  modes: Modes,
  finish: (temporary: string) => Promise<boolean>,
): Promise<boolean> {
  const directory = dirname(target);
  const temporary = join(directory, `.${basename(target)}.${process.pid}-${randomHex(6)}.tmp`);
  try {
    await writeFlushed(temporary, data, modes);
    const finished = await finish(temporary);
    await flushDirectory(directory);
    return finished;
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

async function writeFlushed(path: string, data: string | Uint8Array, modes: Modes): Promise<void> {
  const file = await open(path, 'wx', modes.mode);
  try {
    await file.writeFile(data);
    if (modes.kept !== undefined) await file.chmod(modes.kept);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is durable only once its directory is flushed; not every file system can do that. */
async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY).catch(() => undefined);
  if (handle === undefined) return;
  try {
    await handle.sync();
  } catch {
    // A directory that cannot be flushed still holds the new name.
  } finally {
    await handle.close();
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  const status = await statusOf(path);
  return status === undefined ? undefined : status.mode & 0o777;
}

async function followLinks(path: string): Promise<string> {
  let current = path;
  for (let hop = 0; hop < MAX_LINKS; hop++) {
    const status = await statusOf(current);
    if (status === undefined || !status.isSymbolicLink()) return current;
    current = resolve(dirname(current), await readlink(current));
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' });
}

async function statusOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
