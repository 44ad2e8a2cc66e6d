import { stat } from 'node:fs/promises';
import { writeFileAtomic } from '@hermes/runtime';
import { looksBinary } from './binary.ts';
import { type FileRefusal, isRefusal, openRegular } from './open-file.ts';
import { DIGEST_MAX_BYTES, digestOf, type FileStamp } from './read-tracker.ts';
import { decodeText, type Encoding, encodeText, encodingOf, type LineEnd, lineEndOf } from './text-encoding.ts';

/** A text file in memory, with all that is needed to write it back as it was. */
export interface TextFile {
  /** Without byte order mark; line ends as in the file. */
  readonly text: string;
  readonly encoding: Encoding;
  readonly eol: LineEnd;
  /** Whether the last line has its end. */
  readonly finalNewline: boolean;
  /** Permission bits. */
  readonly mode: number;
  /** For `noteRead`. */
  readonly stamp: FileStamp;
}

/**
 * Reads a whole text file of at most `maxBytes` bytes. What is missing, a directory, no regular file, binary, not valid in its
 * encoding or too big is answered with a refusal, never thrown. `real` is a real path, see `resolvePath`.
 *
 * @example
 * const file = await readTextFile(place.real, 10_000_000);
 * if (isRefusal(file)) return refused(file.error);
 */
export async function readTextFile(real: string, maxBytes: number): Promise<TextFile | FileRefusal> {
  const opened = await openRegular(real);
  if (isRefusal(opened)) return opened;
  const { handle, stats } = opened;
  try {
    if (stats.size > maxBytes) return tooBig(real, stats.size, maxBytes);
    const bytes = await handle.readFile();
    if (bytes.length > maxBytes) return tooBig(real, bytes.length, maxBytes);
    const { encoding } = encodingOf(bytes);
    if (looksBinary(real, bytes, encoding !== 'utf8')) return binaryRefusal(real);
    const text = decodeText(bytes, encoding);
    return {
      text,
      encoding,
      eol: lineEndOf(text),
      finalNewline: text.endsWith('\n'),
      mode: stats.mode & 0o7777,
      stamp: stampOf(stats, bytes),
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return {
      kind: 'not_utf8',
      error: `${real} has bytes that are no valid UTF-8 or UTF-16. Edit it with a terminal command.`,
    };
  } finally {
    await handle.close();
  }
}

/**
 * Replaces a file in one step with `text` in `encoding`; its line ends are written as they are in `text`. An existing file keeps
 * its mode. Throws a `HermesError` when it cannot be written; the file is then unchanged.
 */
export async function writeTextFile(
  real: string,
  text: string,
  encoding: Encoding,
  mode?: number,
): Promise<{ readonly bytes: number; readonly stamp: FileStamp }> {
  const bytes = encodeText(text, encoding);
  await writeFileAtomic(real, bytes, mode === undefined ? {} : { mode });
  return { bytes: bytes.length, stamp: stampOf(await stat(real), bytes) };
}

export function binaryRefusal(path: string): FileRefusal {
  return {
    kind: 'binary',
    error: `${path} is a binary file, not text. Use a terminal command that understands its format.`,
  };
}

function stampOf(stats: { size: number; mtimeMs: number }, bytes: Uint8Array): FileStamp {
  const digest = bytes.length <= DIGEST_MAX_BYTES ? digestOf(bytes) : undefined;
  return { size: bytes.length, mtimeMs: stats.mtimeMs, digest };
}

function tooBig(path: string, size: number, maxBytes: number): FileRefusal {
  return {
    kind: 'too_big',
    error: `${path} has ${size.toLocaleString('en')} bytes; at most ${maxBytes.toLocaleString('en')} can be handled here. Use a terminal command.`,
  };
}
