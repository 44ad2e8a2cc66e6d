/** Text without NUL and without lone surrogates: what both engines can store and every provider accepts (session-db spec 14.6). */
export function storableText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed;
}

/** First words of a message for lists: one line, at most `max` characters. */
export function previewOf(text: string, max = 80): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}
