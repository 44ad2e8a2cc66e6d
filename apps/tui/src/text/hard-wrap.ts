import { cellWidth, graphemes, isPlain } from './width.ts';

/**
 * Breaks one line into pieces of at most `width` columns, wherever the edge falls: for code and for typed text, where
 * spaces count.
 *
 * @example
 * hardWrap('abcdef', 4); // ['abcd', 'ef']
 */
export function hardWrap(line: string, width: number): string[] {
  if (isPlain(line)) {
    if (line.length <= width) return [line];
    return Array.from({ length: Math.ceil(line.length / width) }, (_, row) =>
      line.slice(row * width, (row + 1) * width),
    );
  }
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const grapheme of graphemes(line)) {
    const next = cellWidth(grapheme);
    if (used + next > width && piece !== '') {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += grapheme;
    used += next;
  }
  pieces.push(piece);
  return pieces;
}
