import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, fileError, nearest } from '@hermes/runtime';

/** Why a file was not read. `error` is for the model; `similar` are full paths of files with a like name. */
export interface FileRefusal {
  readonly kind: 'missing' | 'directory' | 'special' | 'binary' | 'not_utf8' | 'too_big' | 'unreadable';
  readonly error: string;
  readonly similar?: readonly string[];
}

export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Names that are suggested for a missing file, at most. */
const MAX_SIMILAR = 5;

/**
 * Opens a regular file for reading. Pipes, sockets and devices are refused without being opened, and the check is repeated on
 * what was opened, so that nothing put in its place can make a read hang or lead elsewhere (tools spec 13).
 * `real` is a real path. The caller closes `handle`.
 */
export async function openRegular(real: string): Promise<OpenFile | FileRefusal> {
  const before = await stat(real).catch((error: unknown) => failure(real, error));
  if (!isStats(before)) return before.kind === 'missing' ? await missing(real) : before;
  const refusal = notRegular(real, before);
  if (refusal) return refusal;
  let handle: FileHandle;
  try {
    handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return failure(real, error);
  }
  const stats = await handle.stat();
  const opened = notRegular(real, stats);
  if (!opened) return { handle, stats };
  await handle.close();
  return opened;
}

export function isRefusal(value: object): value is FileRefusal {
  return 'kind' in value && 'error' in value;
}

/** A refusal for what is no regular file; undefined for one that is. */
export function notRegular(path: string, stats: Stats): FileRefusal | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory())
    return { kind: 'directory', error: `${path} is a directory. List it with search_files (target "files").` };
  const what = stats.isFIFO() ? 'a named pipe' : stats.isSocket() ? 'a socket' : 'a device';
  return { kind: 'special', error: `${path} is ${what}, not a regular file. Use a terminal command if you need it.` };
}

function isStats(value: Stats | FileRefusal): value is Stats {
  return !isRefusal(value);
}

function failure(path: string, error: unknown): FileRefusal {
  if (errorCode(error) === 'ENOENT') return { kind: 'missing', error: `${path} does not exist.` };
  const { message, hints } = fileError('read', path, error);
  return { kind: 'unreadable', error: [message, ...hints].join(' ') };
}

async function missing(path: string): Promise<FileRefusal> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined)
    return { kind: 'missing', error: `${path} does not exist, and neither does ${folder}. Find it with search_files.` };
  const similar = similarNames(basename(path), names).map((name) => join(folder, name));
  const next = similar.length > 0 ? 'See similar_files.' : 'Find it with search_files (target "files").';
  return { kind: 'missing', error: `${path} does not exist. ${next}`, similar };
}

function similarNames(wanted: string, names: readonly string[]): string[] {
  const stem = stemOf(wanted);
  const sameStem = names.filter((name) => stem !== '' && stemOf(name) === stem);
  return [...new Set([...nearest(wanted, names, MAX_SIMILAR), ...sameStem])].slice(0, MAX_SIMILAR);
}

function stemOf(name: string): string {
  return name.toLowerCase().replace(/\.[^.]*$/u, '');
}
