import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories } from '../files/make-directories.ts';
import { writeFileAtomic } from '../files/write-file-atomic.ts';

/** Copies kept of each kind (CLI spec 4.1). */
const KEEP = 5;

type BackupKind = 'good' | 'corrupt';

/**
 * Keeps a copy of `config.yaml` as it was at `changedAt` (milliseconds, its time of change), unless there is one
 * already or the newest copy says the same. Never throws: a home that cannot be written still starts.
 */
export async function keepBackup(directory: string, kind: BackupKind, text: string, changedAt: number): Promise<void> {
  const name = `config.yaml.${kind}.${stamp(changedAt)}`;
  if (existsSync(join(directory, name))) return;
  try {
    const [newest] = backupNames(directory, kind);
    if (newest !== undefined && readFileSync(join(directory, newest), 'utf8') === text) return;
    makeDirectories(directory, 0o700);
    await writeFileAtomic(join(directory, name), text, { mode: 0o600 });
    for (const old of backupNames(directory, kind).slice(KEEP)) await rm(join(directory, old), { force: true });
  } catch {
    // The copy is a convenience; the next change tries again.
  }
}

/** The texts of the good copies, newest first, read one by one as they are asked for. */
export function* goodBackups(directory: string): Generator<{ path: string; text: string }> {
  for (const name of backupNames(directory, 'good')) {
    const path = join(directory, name);
    try {
      yield { path, text: readFileSync(path, 'utf8') };
    } catch {
      // An unreadable copy is no copy.
    }
  }
}

function backupNames(directory: string, kind: BackupKind): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.startsWith(`config.yaml.${kind}.`) && !name.endsWith('.tmp'))
      .sort()
      .toReversed();
  } catch {
    return [];
  }
}

/** A time that sorts as text, without characters that some file systems refuse. */
function stamp(time: number): string {
  return new Date(time).toISOString().replace(/[-:]/g, '');
}
