import { readFile } from 'node:fs/promises';

/** A line that is exactly this separates entries; the sign inside a line is ordinary text (learning spec 3.1). */
const DELIMITER = '\n§\n';

/** Entries of a memory file: trimmed, exact repeats once. */
export function parseEntries(text: string): string[] {
  const entries = `\n${text.replace(/^\uFEFF/u, '').replaceAll('\r\n', '\n')}\n`
    .split(DELIMITER)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return [...new Set(entries)];
}

export function joinEntries(entries: readonly string[]): string {
  return entries.join(DELIMITER);
}

/** Characters a store takes, in code points of the joined text. */
export function sizeOf(entries: readonly string[]): number {
  return Array.from(joinEntries(entries)).length;
}

/** Entries of the file; none when it does not exist yet. */
export async function readEntries(path: string): Promise<string[]> {
  try {
    return parseEntries(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
