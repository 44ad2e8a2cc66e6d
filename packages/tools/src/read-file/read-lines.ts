import { createHash } from 'node:crypto';
import { looksBinary, SNIFF_BYTES } from '../files/binary.ts';
import { type FileRefusal, isRefusal, openRegular } from '../files/open-file.ts';
import { DIGEST_MAX_BYTES, type FileStamp } from '../files/read-tracker.ts';
import { decoderName, type Encoding, encodingOf } from '../files/text-encoding.ts';
import { binaryRefusal } from '../files/text-file.ts';
import { LineWindow, type WindowOptions } from './line-window.ts';

const CHUNK_BYTES = 256 * 1024;

export interface FileLines {
  readonly window: LineWindow;
  readonly encoding: Encoding;
  /** Bytes. */
  readonly size: number;
  readonly stamp: FileStamp;
}

/**
 * Reads some lines of a text file of any size and counts them all, holding one chunk at a time. `real` is a real path. Throws
 * the reason of `signal` when it is aborted, and faults of the disk.
 */
export async function readLines(
  real: string,
  options: WindowOptions,
  signal: AbortSignal,
): Promise<FileLines | FileRefusal> {
  const opened = await openRegular(real);
  if (isRefusal(opened)) return opened;
  const { handle, stats } = opened;
  try {
    const buffer = Buffer.alloc(Math.max(SNIFF_BYTES, Math.min(CHUNK_BYTES, stats.size + 1)));
    let { bytesRead } = await handle.read(buffer);
    const { encoding, markBytes } = encodingOf(buffer.subarray(0, bytesRead));
    if (looksBinary(real, buffer.subarray(0, bytesRead), encoding !== 'utf8')) return binaryRefusal(real);
    const window = new LineWindow(options);
    const toUtf8 = utf8Converter(encoding);
    const hash = stats.size <= DIGEST_MAX_BYTES ? createHash('sha256') : undefined;
    let size = 0;
    let skip = markBytes;
    while (bytesRead > 0) {
      signal.throwIfAborted();
      const piece = buffer.subarray(0, bytesRead);
      hash?.update(piece);
      window.push(toUtf8(piece.subarray(skip)));
      skip = 0;
      size += bytesRead;
      ({ bytesRead } = await handle.read(buffer));
    }
    window.finish();
    return { window, encoding, size, stamp: { size, mtimeMs: stats.mtimeMs, digest: hash?.digest('hex') } };
  } finally {
    await handle.close();
  }
}

function utf8Converter(encoding: Encoding): (piece: Uint8Array) => Uint8Array {
  if (encoding === 'utf8' || encoding === 'utf8-bom') return (piece) => piece;
  const decoder = new TextDecoder(decoderName(encoding), { ignoreBOM: true });
  return (piece) => Buffer.from(decoder.decode(piece, { stream: true }), 'utf8');
}
