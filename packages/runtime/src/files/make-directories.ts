import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './file-error.ts';

/**
 * Creates a directory and the parents it lacks, all with `mode`, and answers the topmost one created, undefined
 * when the directory was there. Throws the operating system's error, and then leaves nothing behind.
 *
 * Node's own recursive form never returns where a parent exists but takes no children, as in `/proc`.
 *
 * @example
 * makeDirectories('/home/ada/.hermes/logs', 0o700);
 */
export function makeDirectories(path: string, mode: number): string | undefined {
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' && statSync(path).isDirectory()) return undefined;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path) throw error;
    const top = makeDirectories(parent, mode);
    try {
      mkdirSync(path, { mode });
      return top ?? path;
    } catch (again) {
      if (errorCode(again) === 'EEXIST') return top;
      if (top !== undefined) removeDirectories(parent, top);
      throw again;
    }
  }
}

/** Takes back what `makeDirectories` made: from `path` up to `top`, as long as the directories are empty. */
export function removeDirectories(path: string, top: string): void {
  for (let directory = path; ; directory = dirname(directory)) {
    try {
      rmdirSync(directory);
    } catch {
      return;
    }
    if (directory === top) return;
  }
}
