/** The stretch of `rows` entries around the selected one. */
export function windowAround(
  selected: number,
  count: number,
  rows: number,
): { readonly from: number; readonly to: number } {
  const from = Math.max(0, Math.min(selected - Math.floor(rows / 2), count - rows));
  return { from, to: Math.min(count, from + rows) };
}
