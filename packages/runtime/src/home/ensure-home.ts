import { accessSync, constants, lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { HermesError } from '../errors/hermes-error.ts';
import { fileError } from '../files/file-error.ts';
import { makeDirectories, removeDirectories } from '../files/make-directories.ts';
import { createFileAtomic } from '../files/write-file-atomic.ts';
import { homePaths } from './home-paths.ts';
import type { HomeScope } from './home-scope.ts';
import { STARTER_CONFIG, STARTER_SOUL } from './starter-files.ts';

/** The directory and everything in it belong to the user alone (CLI spec 4.1). */
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Makes sure that the home exists with the files of a first launch: the directory, `config.yaml`, an empty `.env`
 * and a starter `SOUL.md`. What is there already stays as it is. Answers the paths it created.
 *
 * Throws one `HermesError` when the home cannot be made or written; what this call had created by then is removed.
 *
 * @example
 * const created = await ensureHome(scope); // [] from the second launch on
 */
export async function ensureHome(scope: HomeScope): Promise<string[]> {
  const missing = starterFiles(scope.home).filter(([path]) => !isThere(path));
  if (missing.length === 0) {
    mustBeWritable(scope.home);
    return [];
  }
  const created: string[] = [];
  let firstDirectory: string | undefined;
  try {
    firstDirectory = makeDirectories(scope.home, DIRECTORY_MODE);
    for (const [path, text] of missing) {
      if (await createFileAtomic(path, text, { mode: FILE_MODE })) created.push(path);
    }
    return created;
  } catch (error) {
    await undo(created, scope.home, firstDirectory);
    throw homeError(scope.home, error);
  }
}

function starterFiles(home: string): [path: string, text: string][] {
  const paths = homePaths(home);
  return [
    [paths.config, STARTER_CONFIG],
    [paths.env, ''],
    [paths.soul, STARTER_SOUL],
  ];
}

/** A link that leads nowhere counts as there: it is the user's, perhaps to a disk that is not mounted yet. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function mustBeWritable(home: string): void {
  try {
    accessSync(home, constants.W_OK);
  } catch (error) {
    throw homeError(home, error);
  }
}

async function undo(files: readonly string[], home: string, firstDirectory: string | undefined): Promise<void> {
  for (const path of files) await rm(path, { force: true }).catch(() => {});
  if (firstDirectory !== undefined) removeDirectories(home, firstDirectory);
}

function homeError(home: string, error: unknown): HermesError {
  const cause = error instanceof HermesError ? error : fileError('create', home, error);
  return new HermesError(`home_${cause.code}`, `The Hermes home ${home} cannot be used. ${cause.message}`, {
    hints: [...cause.hints, 'Or set HERMES_HOME to a directory you can write.'],
    cause,
  });
}
