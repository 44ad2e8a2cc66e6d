/** A diff for the screen is given up after this time, in milliseconds, or above this size, in characters. */
const TIMEOUT_MS = 300;
const MAX_CHARS = 200_000;

/**
 * The change of one file as a unified diff; undefined when nothing changed or the diff would take too long or be too large.
 * `undefined` as a text means that the file is not there.
 *
 * @example
 * await unifiedDiff('src/a.ts', 'one\n', 'two\n'); // '--- src/a.ts\n+++ src/a.ts\n@@ …'
 */
export async function unifiedDiff(
  name: string,
  before: string | undefined,
  after: string | undefined,
): Promise<string | undefined> {
  if (before === after) return undefined;
  const { createTwoFilesPatch, OMIT_HEADERS } = await import('diff');
  const hunks = createTwoFilesPatch(name, name, before ?? '', after ?? '', undefined, undefined, {
    context: 3,
    timeout: TIMEOUT_MS,
    headerOptions: OMIT_HEADERS,
  });
  if (hunks === undefined || hunks.length > MAX_CHARS) return undefined;
  // The library writes names that are not ASCII as octal bytes; a person reads this.
  return `--- ${before === undefined ? NO_FILE : name}\n+++ ${after === undefined ? NO_FILE : name}\n${hunks}`;
}

const NO_FILE = '/dev/null';
