/** A candidate is near when it needs at most this share of its letters changed, and never more than three of them. */
const NEAR_SHARE = 0.4;
const NEAR_EDITS = 3;

/**
 * The candidates that look like a mistyped `word`, nearest first, at most `max` of them.
 * Distance counts insertions, deletions, replacements and swaps of neighbours; upper and lower case are the same.
 *
 * @example
 * nearest('gatway', ['gateway', 'cron', 'status'], 3); // ['gateway']
 */
export function nearest(word: string, candidates: Iterable<string>, max: number): string[] {
  const wanted = word.toLowerCase();
  const found: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const limit = Math.min(NEAR_EDITS, Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) * NEAR_SHARE)));
    if (Math.abs(candidate.length - wanted.length) > limit) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= limit) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return found.slice(0, max).map((entry) => entry.candidate);
}

/** Optimal string alignment distance: every edit costs one, a swap of two neighbours costs one too. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
