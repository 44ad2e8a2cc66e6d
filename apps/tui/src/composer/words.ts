/** Words are looked for at most this far away. */
const WINDOW = 2000;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Start of the word before `index`; the dictionary of the segmenter finds Chinese and Japanese words too. */
export function wordStart(text: string, index: number): number {
  const from = Math.max(0, index - WINDOW);
  let start = from;
  for (const part of segmenter.segment(text.slice(from, index))) {
    if (isWord(part)) start = from + part.index;
  }
  return start;
}

/** End of the word after `index`. */
export function wordEnd(text: string, index: number): number {
  for (const part of segmenter.segment(text.slice(index, index + WINDOW))) {
    if (isWord(part)) return index + part.index + part.segment.length;
  }
  return text.length;
}

/** A paste chip, one private-use character, counts as a word. */
function isWord(part: Intl.SegmentData): boolean {
  return part.isWordLike === true || /\p{Co}/u.test(part.segment);
}
