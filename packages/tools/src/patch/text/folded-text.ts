/** A text in which some pieces were replaced for comparison, and the way back to the places they came from. */
export class FoldedText {
  readonly text: string;
  /** Start and end of every piece that changed its length, alternating; the same pieces in both. */
  readonly #source: readonly number[];
  readonly #folded: readonly number[];

  constructor(text: string, source: readonly number[], folded: readonly number[]) {
    this.text = text;
    this.#source = source;
    this.#folded = folded;
  }

  /** The source offset of a folded offset; undefined inside a replaced piece, which cannot be cut. */
  toSource(offset: number): number | undefined {
    return translate(offset, this.#folded, this.#source);
  }

  /** The folded offset of a source offset; undefined inside a replaced piece. */
  fromSource(offset: number): number | undefined {
    return translate(offset, this.#source, this.#folded);
  }
}

function translate(offset: number, from: readonly number[], to: readonly number[]): number | undefined {
  let low = 0;
  let high = from.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[2 * middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return offset;
  const start = 2 * (low - 1);
  if (offset === from[start]) return to[start];
  const beyond = offset - (from[start + 1] ?? 0);
  return beyond < 0 ? undefined : (to[start + 1] ?? 0) + beyond;
}

/**
 * Replaces every match of `pattern` (a global expression without groups) and remembers the places.
 *
 * @example
 * const folded = foldText('a\r\nb', /\r\n/g, () => '\n');
 * folded.text;        // 'a\nb'
 * folded.toSource(2); // 3
 */
export function foldText(source: string, pattern: RegExp, replace: (match: string) => string): FoldedText {
  const sourcePieces: number[] = [];
  const foldedPieces: number[] = [];
  let growth = 0;
  const text = source.replace(pattern, (match: string, at: number) => {
    const replacement = replace(match);
    if (replacement.length !== match.length) {
      sourcePieces.push(at, at + match.length);
      foldedPieces.push(at + growth, at + growth + replacement.length);
      growth += replacement.length - match.length;
    }
    return replacement;
  });
  return new FoldedText(text, sourcePieces, foldedPieces);
}
