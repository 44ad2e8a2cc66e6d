/** How a text is kept in its file. `-bom` and the UTF-16 ones begin with a byte order mark. */
export type Encoding = 'utf8' | 'utf8-bom' | 'utf16le' | 'utf16be';

/** Which line ends a text has; `none` when it is one line without end. */
export type LineEnd = '\n' | '\r\n' | 'mixed' | 'none';

const MARKS: readonly { readonly encoding: Encoding; readonly mark: readonly number[] }[] = [
  { encoding: 'utf8-bom', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf16le', mark: [0xff, 0xfe] },
  { encoding: 'utf16be', mark: [0xfe, 0xff] },
];

/** The encoding the byte order mark tells, and how many bytes it has; UTF-8 without one. */
export function encodingOf(head: Uint8Array): { readonly encoding: Encoding; readonly markBytes: number } {
  const found = MARKS.find(({ mark }) => mark.every((byte, index) => head[index] === byte));
  return found ? { encoding: found.encoding, markBytes: found.mark.length } : { encoding: 'utf8', markBytes: 0 };
}

/** The text without its byte order mark; throws a `TypeError` for bytes that are not of that encoding. */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(decoderName(encoding), { fatal: true }).decode(bytes);
}

/** The bytes of a file, byte order mark included. Line ends stay as they are in `text`. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  const mark = Buffer.from(MARKS.find((entry) => entry.encoding === encoding)?.mark ?? []);
  const plain = text.startsWith('\uFEFF') && mark.length > 0 ? text.slice(1) : text;
  if (encoding === 'utf8' || encoding === 'utf8-bom') return Buffer.concat([mark, Buffer.from(plain, 'utf8')]);
  const body = Buffer.from(plain, 'utf16le');
  return Buffer.concat([mark, encoding === 'utf16be' ? body.swap16() : body]);
}

export function decoderName(encoding: Encoding): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (encoding === 'utf16le') return 'utf-16le';
  return encoding === 'utf16be' ? 'utf-16be' : 'utf-8';
}

export function lineEndOf(text: string): LineEnd {
  const windows = text.match(/\r\n/gu)?.length ?? 0;
  const all = text.match(/\n/gu)?.length ?? 0;
  if (all === 0) return 'none';
  if (windows === 0) return '\n';
  return windows === all ? '\r\n' : 'mixed';
}

/** The text with the line ends of a file that has one kind of them; else the text as it is. */
export function withLineEnd(text: string, eol: LineEnd): string {
  if (eol === 'mixed' || eol === 'none') return text;
  const plain = text.replaceAll('\r\n', '\n');
  return eol === '\n' ? plain : plain.replaceAll('\n', '\r\n');
}
