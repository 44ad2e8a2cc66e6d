import { type FoldedText, foldText } from './folded-text.ts';

const SPECIAL_SPACES =
  '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000';
const LONG_DASHES = '\u2014\u2015';

/** Characters and how ASCII text writes them. */
const WRITTEN: readonly (readonly [chars: string, ascii: string])[] = [
  [SPECIAL_SPACES, ' '],
  ['\u2018\u2019\u201a\u201b\u2032', "'"],
  ['\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb', '"'],
  ['\u2010\u2011\u2012\u2013\u2212\ufe58\ufe63\uff0d', '-'],
  ['\u2026', '...'],
];

const ASCII = new Map(WRITTEN.flatMap(([chars, ascii]) => Array.from(chars, (char) => [char, ascii] as const)));
const ALL = [...ASCII.keys(), LONG_DASHES].join('');
const PATTERNS = WRITTEN.map(([chars, ascii]) => [new RegExp(`[${chars}]`, 'g'), ascii] as const);
const LOOK_ALIKE = new RegExp(`[${ALL}]`);

/** True when the text holds a character that ASCII text would write otherwise (tools spec 3.3: quotes, dashes, spaces). */
export function hasLookAlike(text: string): boolean {
  return LOOK_ALIKE.test(text);
}

function asAscii(char: string, longDash: string): string {
  return ASCII.get(char) ?? longDash;
}

/** The text with look-alikes as ASCII; a long dash becomes `longDash`, since people type it as one hyphen or as two. */
export function foldLookAlikes(text: string, longDash: '-' | '--'): FoldedText {
  return foldText(text, new RegExp(`[${ALL}]`, 'g'), (char) => asAscii(char, longDash));
}

/** The text of `foldLookAlikes` alone, much faster. */
export function writeAscii(text: string, longDash: '-' | '--'): string {
  return writeLongDashes(writeAsciiButLongDashes(text), longDash);
}

/** First half of `writeAscii`: the same for every spelling of long dashes. */
export function writeAsciiButLongDashes(text: string): string {
  if (!LOOK_ALIKE.test(text)) return text;
  return PATTERNS.reduce((done, [pattern, ascii]) => done.replaceAll(pattern, ascii), text);
}

/** Second half of `writeAscii`. */
export function writeLongDashes(text: string, longDash: '-' | '--'): string {
  return text.replaceAll(/[\u2014\u2015]/g, longDash);
}

/** The text of `collapseSpaces` alone, much faster. */
export function writeSingleSpaces(text: string): string {
  return text.replaceAll(/[ \t]{2,}|\t/g, ' ');
}

/** Every run of spaces and tabs as one space. */
export function collapseSpaces(text: string): FoldedText {
  return foldText(text, /[ \t]{2,}|\t/g, () => ' ');
}

const DASHES = `${WRITTEN.find(([, ascii]) => ascii === '-')?.[0] ?? ''}${LONG_DASHES}`;
const LOOSE = new RegExp(`[ \t${SPECIAL_SPACES}]+|[-${DASHES}]+|[${ALL}]`, 'g');

function loosely(piece: string): string {
  const first = piece.charAt(0);
  return first === ' ' || first === '\t' ? ' ' : asAscii(first, '-');
}

/** A line as it is compared when only its meaning counts: look-alikes, runs of spaces and of hyphens folded. */
export function foldLoosely(line: string): FoldedText {
  return foldText(line, LOOSE, loosely);
}

/** Every line of a text as `foldLoosely` makes it, trimmed. `ascii` is the text after `writeAscii`. */
export function looseLines(ascii: string): string[] {
  return writeSingleSpaces(ascii)
    .replaceAll(/--+/g, '-')
    .split('\n')
    .map((line) => line.trim());
}

/** `looseLines` of one line. */
export function looseKey(line: string): string {
  return looseLines(writeAscii(line, '-')).join('\n');
}
