/** Cap of one context file, in characters, for a window of so many tokens: window × 4 × 6 %, 20,000 to 500,000 (context spec 2.2). */
export function contextFileCap(windowTokens: number): number {
  return Math.min(500_000, Math.max(20_000, Math.floor(windowTokens * 4 * 0.06)));
}

/** Keeps 70 % of the cap from the head and 20 % from the tail; the gap says what is missing and how to read it. */
export function truncateMiddle(
  text: string,
  cap: number,
  name: string,
): { readonly text: string; readonly cut: boolean } {
  if (text.length <= cap) return { text, cut: false };
  const head = text.slice(0, Math.floor(cap * 0.7)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(cap * 0.2)).toWellFormed();
  const gap = `[… ${name}: ${head.length + tail.length} of ${text.length} characters shown; read the file for the rest …]`;
  return { text: `${head}\n\n${gap}\n\n${tail}`, cut: true };
}
