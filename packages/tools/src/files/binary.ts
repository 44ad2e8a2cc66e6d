import { extname } from 'node:path';

/** Bytes at the beginning of a file that are looked at. */
export const SNIFF_BYTES = 8192;

/** Endings of files that are no text, whatever their first bytes look like. */
const BINARY_ENDINGS = new Set(
  [
    'png jpg jpeg gif bmp ico webp avif heic tif tiff psd',
    'mp3 mp4 m4a wav flac ogg opus avi mov mkv webm wmv',
    'zip gz tgz bz2 xz zst 7z rar tar jar war whl deb rpm dmg iso',
    'exe dll so dylib o a class pyc wasm bin dat',
    'pdf doc docx xls xlsx ppt pptx odt ods odp epub',
    'sqlite sqlite3 db woff woff2 ttf otf eot',
  ].flatMap((line) => line.split(' ')),
);

const PDF_MARK = Buffer.from('%PDF-');

/** Whether the first bytes of a file, or its name when they tell nothing, say that it is not text. UTF-16 with its mark is text. */
export function looksBinary(path: string, head: Uint8Array, marked: boolean): boolean {
  if (head.length === 0 || marked) return false;
  const sample = head.subarray(0, SNIFF_BYTES);
  if (sample.includes(0) || PDF_MARK.equals(sample.subarray(0, PDF_MARK.length))) return true;
  return BINARY_ENDINGS.has(extname(path).slice(1).toLowerCase()) && !isPlainText(sample);
}

function isPlainText(sample: Uint8Array): boolean {
  if (sample.some((byte) => byte < 0x20 && !TEXT_CONTROLS.has(byte))) return false;
  try {
    // A character cut at the end of the sample is no fault.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Tab, line feed, form feed, carriage return, escape. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);
