/** Sequences whose table would hold more cells than this are aligned at their ends only. */
const MAX_CELLS = 4_000_000;

/**
 * For each item of `after`, the index of the item of `before` it continues, or −1 for a new one; the longest such pairing.
 *
 * @example
 * alignSequences(['a', 'b'], ['a', 'x', 'b']); // [0, -1, 1]
 */
export function alignSequences(before: readonly string[], after: readonly string[]): number[] {
  const pairs = after.map(() => -1);
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) {
    pairs[head] = head;
    head += 1;
  }
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    tail += 1;
    pairs[after.length - tail] = before.length - tail;
  }
  alignMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail), head, pairs);
  return pairs;
}

function alignMiddle(before: readonly string[], after: readonly string[], offset: number, pairs: number[]): void {
  const width = after.length + 1;
  if (before.length * after.length > MAX_CELLS) return;
  const common = new Int32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  let row = 0;
  let column = 0;
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      pairs[offset + column] = offset + row;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
}
