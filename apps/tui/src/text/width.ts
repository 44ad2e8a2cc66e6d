import stringWidth from 'string-width';

const PRINTABLE_ASCII = /^[ -~]*$/;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Columns a text takes on the terminal: the same rule Ink lays out with, with a short way for plain ASCII. */
export function cellWidth(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : stringWidth(text);
}

/** True when every character is one printable ASCII cell, so that indexes, graphemes and columns are the same. */
export function isPlain(text: string): boolean {
  return PRINTABLE_ASCII.test(text);
}

/** The characters as a person counts them: an emoji family or a letter with its accents is one. */
export function graphemes(text: string): string[] {
  if (PRINTABLE_ASCII.test(text)) return text.split('');
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** Start of the grapheme that ends at `index`; 0 at the start of the text. Looks at a short stretch only. */
export function previousBoundary(text: string, index: number): number {
  const from = Math.max(0, index - 64);
  let start = from;
  for (const part of segmenter.segment(text.slice(from, index))) start = from + part.index;
  return index === 0 ? 0 : start;
}

/** End of the grapheme that starts at `index`; the length of the text at its end. */
export function nextBoundary(text: string, index: number): number {
  const ahead = segmenter.segment(text.slice(index, index + 64));
  const first = ahead.containing(0);
  return first === undefined ? text.length : index + first.segment.length;
}

/**
 * Cuts a text to `width` columns; what is cut is marked by `…`.
 *
 * @example
 * truncate('数据库备份', 7); // '数据库…'
 */
export function truncate(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  if (width <= 0) return '';
  let kept = '';
  let used = 0;
  for (const grapheme of graphemes(text)) {
    const next = used + cellWidth(grapheme);
    if (next > width - 1) break;
    kept += grapheme;
    used = next;
  }
  return `${kept}…`;
}

/** Fills up to `width` columns with spaces on the right; longer texts are cut. */
export function padTo(text: string, width: number): string {
  const cut = truncate(text, width);
  return cut + ' '.repeat(Math.max(0, width - cellWidth(cut)));
}
