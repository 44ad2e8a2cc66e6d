import type { Cursor } from './cursor.ts';
import { decodeAnsiC } from './decode-ansi-c.ts';
import { readArithmetic, readBraceExpansion } from './read-expansion.ts';
import { MalformedScript, type Word, type WordPart } from './script.ts';

const ENDS_WORD = new Set([' ', '\t', '\n', '\r', ';', '&', '|', '<', '>', '(', ')']);
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SPECIAL_PARAMETER = /[0-9@*#?$!-]/y;

/** Reads the word at the cursor; undefined when none begins there. */
export function readWord(cursor: Cursor): Word | undefined {
  const parts: WordPart[] = [];
  const start = cursor.position;
  while (!cursor.done) {
    if (isProcessSubstitution(cursor)) parts.push(readProcess(cursor));
    else if (cursor.char === '(' && parts.length > 0 && isExtendedGlob(cursor, start)) parts.push(readGroup(cursor));
    else if (ENDS_WORD.has(cursor.char)) break;
    else readUnquoted(cursor, parts);
  }
  return cursor.position === start ? undefined : { parts };
}

/** Reads text in which only `$`, backticks and backslashes mean something, up to `end` (a here-document when `end` is empty). */
export function readQuoted(cursor: Cursor, end: '"' | ''): WordPart[] {
  const parts: WordPart[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') parts.push({ kind: 'text', text, quoted: true });
    text = '';
  };
  while (end === '' ? !cursor.done : cursor.char !== end) {
    if (cursor.done) throw new MalformedScript('a double quote (") is never closed');
    const escaped = cursor.ahead(1);
    if (cursor.char === '\\' && escaped !== '' && '$`"\\\n'.includes(escaped)) {
      text += escaped === '\n' ? '' : escaped;
      cursor.position += 2;
    } else if (cursor.char === '$' || cursor.char === '`') {
      flush();
      parts.push(readExpansion(cursor, true));
    } else {
      text += cursor.take(1);
    }
  }
  cursor.position += end.length;
  flush();
  if (parts.length === 0) parts.push({ kind: 'text', text: '', quoted: true });
  return parts;
}

function readUnquoted(cursor: Cursor, parts: WordPart[]): void {
  switch (cursor.char) {
    case "'":
      cursor.position++;
      parts.push({ kind: 'text', text: cursor.takeThrough("'", "a single quote (')"), quoted: true });
      return;
    case '"':
      cursor.position++;
      parts.push(...readQuoted(cursor, '"'));
      return;
    case '\\':
      if (cursor.ahead(1) !== '\n') parts.push({ kind: 'text', text: cursor.ahead(1), quoted: true });
      cursor.position += 2;
      return;
    case '$':
    case '`':
      parts.push(readExpansion(cursor, false));
      return;
    default:
      parts.push({ kind: 'text', text: readPlain(cursor), quoted: false });
  }
}

function readPlain(cursor: Cursor): string {
  const start = cursor.position;
  while (!cursor.done && !ENDS_WORD.has(cursor.char) && !'\'"\\$`'.includes(cursor.char)) cursor.position++;
  return cursor.text.slice(start, cursor.position);
}

function readExpansion(cursor: Cursor, quoted: boolean): WordPart {
  if (cursor.char === '`') return readBackticks(cursor, quoted);
  const next = cursor.ahead(1);
  if (next === '(' && cursor.ahead(2) === '(') {
    const arithmetic = readArithmetic(cursor, '$((', '))');
    if (arithmetic) return { kind: 'opaque', scripts: arithmetic, quoted };
  }
  if (next === '(') {
    cursor.position += 2;
    return { kind: 'command', script: cursor.readNested(cursor, ')'), quoted };
  }
  if (next === '{') return readBraceExpansion(cursor, quoted, readFallback);
  if (next === '[') {
    const arithmetic = readArithmetic(cursor, '$[', ']');
    if (arithmetic) return { kind: 'opaque', scripts: arithmetic, quoted };
  }
  if (!quoted && next === "'") return readAnsiC(cursor);
  if (!quoted && next === '"') {
    cursor.position++;
    return { kind: 'text', text: '', quoted: true };
  }
  return readName(cursor, quoted);
}

/** The value behind `:-`: quoted text, or words with the blanks between them. */
function readFallback(cursor: Cursor, quoted: boolean): Word {
  if (quoted) return { parts: readQuoted(cursor, '') };
  const parts: WordPart[] = [];
  while (!cursor.done) {
    const word = readWord(cursor);
    if (word) parts.push(...word.parts);
    else parts.push({ kind: 'text', text: cursor.take(1), quoted: true });
  }
  return { parts };
}

function readName(cursor: Cursor, quoted: boolean): WordPart {
  cursor.position++;
  for (const pattern of [NAME, SPECIAL_PARAMETER]) {
    pattern.lastIndex = cursor.position;
    const name = pattern.exec(cursor.text)?.[0];
    if (name === undefined) continue;
    cursor.position += name.length;
    return { kind: 'variable', name, quoted };
  }
  return { kind: 'text', text: '$', quoted };
}

function readAnsiC(cursor: Cursor): WordPart {
  const start = cursor.position + 2;
  let end = start;
  while (end < cursor.text.length && cursor.text.charAt(end) !== "'") end += cursor.text.charAt(end) === '\\' ? 2 : 1;
  if (end >= cursor.text.length) throw new MalformedScript("a quote opened by $' is never closed");
  cursor.position = end + 1;
  return { kind: 'text', text: decodeAnsiC(cursor.text.slice(start, end)), quoted: true };
}

function readBackticks(cursor: Cursor, quoted: boolean): WordPart {
  const start = cursor.position + 1;
  let end = start;
  while (end < cursor.text.length && cursor.text.charAt(end) !== '`') end += cursor.text.charAt(end) === '\\' ? 2 : 1;
  if (end >= cursor.text.length) throw new MalformedScript('a backtick (`) is never closed');
  cursor.position = end + 1;
  const escapes = quoted ? /\\([$`\\"])/gu : /\\([$`\\])/gu;
  const inner = cursor.nestedIn(cursor.text.slice(start, end).replace(escapes, '$1'));
  return { kind: 'command', script: cursor.readNested(inner, ''), quoted };
}

function isProcessSubstitution(cursor: Cursor): boolean {
  return (cursor.char === '<' || cursor.char === '>') && cursor.ahead(1) === '(';
}

function readProcess(cursor: Cursor): WordPart {
  cursor.position += 2;
  return { kind: 'process', script: cursor.readNested(cursor, ')') };
}

function isExtendedGlob(cursor: Cursor, start: number): boolean {
  return cursor.position > start && '?*+@!'.includes(cursor.text.charAt(cursor.position - 1));
}

/** A bracketed group inside a word; its scripts are found, its text does not matter. */
function readGroup(cursor: Cursor): WordPart {
  const scripts = readArithmetic(cursor, '(', ')');
  if (!scripts) throw new MalformedScript('a bracket ( is never closed');
  return { kind: 'opaque', scripts, quoted: false };
}
