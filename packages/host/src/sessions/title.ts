/** Words of a title that is made from the first message. */
const MAX_WORDS = 7;
const MAX_CHARS = 60;

/** A title for a session nobody has named: the first words of its first message. */
export function titleFrom(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  const words = line.split(/\s+/u).slice(0, MAX_WORDS).join(' ');
  const chars = Array.from(words);
  return chars.length > MAX_CHARS ? `${chars.slice(0, MAX_CHARS - 1).join('')}…` : words;
}
