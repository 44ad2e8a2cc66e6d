import type { Script, Word, WordPart } from './script.ts';

/** Stands for text that is only known when the command runs; compares unequal to everything that is written out. */
export const UNKNOWN = '\u{10FFFF}';

/** Longer texts, and more words from one, are not worked out: no real command has them, and doubling grows fast. */
const MAX_CHARS = 256_000;
const MAX_WORDS = 1000;

/** What is known about names while a script is read from top to bottom. */
export interface Names {
  /** The user's home directory, absolute. */
  readonly home: string;
  /** Values given literally earlier in the text; a name that is absent is unknown. */
  readonly variables: ReadonlyMap<string, string>;
}

interface Piece {
  readonly text: string;
  /** Split at blanks, and subject to brace expansion. */
  readonly open: boolean;
  /** Result of an expansion: split at blanks, never brace-expanded. */
  readonly expanded: boolean;
}

/**
 * The fields that a word becomes, as far as the text tells: quotes removed, `~`, `$HOME`, `$IFS`, known variables, default values,
 * literal `echo`/`printf` substitutions and braces worked out; what cannot be known is `UNKNOWN`.
 *
 * @example
 * resolveWord(word('r""m${IFS}-rf'), names); // ['rm', '-rf']
 */
export function resolveWord(word: Word, names: Names): string[] {
  const pieces = piecesOf(word, names);
  return expandBraces(pieces).flatMap(splitFields);
}

/** The one text that a word means where no splitting happens (assignments, redirections, here-documents). */
export function resolveText(word: Word, names: Names): string {
  return piecesOf(word, names)
    .map(({ text }) => text)
    .join('');
}

function piecesOf(word: Word, names: Names): Piece[] {
  let chars = 0;
  const pieces: Piece[] = [];
  for (const [index, part] of word.parts.entries()) {
    const piece = pieceOf(part, index === 0, names);
    chars += piece.text.length;
    if (chars > MAX_CHARS) return [{ text: UNKNOWN, open: false, expanded: true }];
    pieces.push(piece);
  }
  return pieces;
}

function pieceOf(part: WordPart, first: boolean, names: Names): Piece {
  switch (part.kind) {
    case 'text':
      if (part.quoted) return { text: part.text, open: false, expanded: false };
      return { text: first ? foldTilde(part.text, names.home) : part.text, open: true, expanded: false };
    case 'variable':
      return { text: valueOf(part, names), open: !part.quoted, expanded: true };
    case 'command':
      return { text: printedText(part.script, names) ?? UNKNOWN, open: !part.quoted, expanded: true };
    case 'process':
    case 'opaque':
      return { text: UNKNOWN, open: false, expanded: true };
  }
}

function foldTilde(text: string, home: string): string {
  return text === '~' || text.startsWith('~/') ? home + text.slice(1) : text;
}

function valueOf(part: Extract<WordPart, { kind: 'variable' }>, names: Names): string {
  const known = names.variables.get(part.name);
  if (known !== undefined && known !== '') return known;
  if (part.name === 'HOME') return names.home;
  if (part.name === 'IFS') return ' ';
  if (part.fallback) return resolveText(part.fallback, names);
  return known ?? UNKNOWN;
}

/** What a substitution prints when it is one `echo` or `printf` of known text. */
export function printedText(script: Script, names: Names): string | undefined {
  const command = script.commands.length === 1 ? script.commands[0] : undefined;
  if (!command || command.redirections.length > 0) return undefined;
  const [program, ...rest] = command.words.flatMap((word) => resolveWord(word, names));
  if (program === 'echo') return rest.filter((text) => !/^-[neE]+$/u.test(text)).join(' ');
  if (program !== 'printf') return undefined;
  const format = rest[0] ?? '';
  if (!format.includes('%')) return format.replaceAll('\\n', '').replaceAll('\\t', '\t');
  return /^(?:%[sb](?:\\n| )?)+$/u.test(format) ? rest.slice(1).join(format.includes(' ') ? ' ' : '') : undefined;
}

/** `a{b,c}` becomes two words; only braces written without quotes count. */
function expandBraces(pieces: readonly Piece[]): (readonly Piece[])[] {
  let words: (readonly Piece[])[] = [pieces];
  for (;;) {
    const expanded = words.flatMap(expandFirstBrace);
    if (expanded.length === words.length) return words;
    if (expanded.length > MAX_WORDS) return [pieces];
    words = expanded;
  }
}

function expandFirstBrace(pieces: readonly Piece[]): (readonly Piece[])[] {
  for (const [at, piece] of pieces.entries()) {
    const found = piece.open && !piece.expanded ? firstBrace(piece.text) : undefined;
    if (!found) continue;
    const { start, end } = found;
    return piece.text
      .slice(start + 1, end)
      .split(',')
      .map((choice) => {
        const text = piece.text.slice(0, start) + choice + piece.text.slice(end + 1);
        return pieces.with(at, { text, open: true, expanded: false });
      });
  }
  return [pieces];
}

/** The first innermost `{…,…}`. */
function firstBrace(text: string): { start: number; end: number } | undefined {
  let start = -1;
  let comma = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '{') {
      start = at;
      comma = false;
    } else if (char === ',') {
      comma = true;
    } else if (char === '}') {
      if (start >= 0 && comma) return { start, end: at };
      start = -1;
    }
  }
  return undefined;
}

function splitFields(pieces: readonly Piece[]): string[] {
  const fields: string[] = [];
  let current: string | undefined;
  for (const piece of pieces) {
    if (!piece.open || !piece.expanded) {
      current = (current ?? '') + piece.text;
      continue;
    }
    const [head = '', ...rest] = piece.text.split(/[ \t\n]+/u);
    if (head !== '') current = (current ?? '') + head;
    for (const field of rest) {
      if (current !== undefined) fields.push(current);
      current = field === '' ? undefined : field;
    }
  }
  if (current !== undefined) fields.push(current);
  return fields;
}
