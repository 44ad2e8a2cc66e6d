import type { Cursor } from './cursor.ts';
import { MalformedScript, type Script, type Word, type WordPart } from './script.ts';

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const FALLBACK = /:?[-=]/y;

/**
 * Reads `open … close` with balanced brackets (arithmetic, pattern groups) and returns the scripts that run inside.
 * Undefined, with the cursor unmoved, when the text is not of that shape.
 */
export function readArithmetic(cursor: Cursor, open: string, close: string): readonly Script[] | undefined {
  const start = cursor.position;
  cursor.position += open.length;
  const scripts = cursor.deeper(() => readBalanced(cursor, close.startsWith(']') ? '[' : '(', close.charAt(0), true));
  if (scripts && cursor.startsWith(close)) {
    cursor.position += close.length;
    return scripts;
  }
  cursor.position = start;
  return undefined;
}

/** `${ … }`: the variable with its fallback when it has that shape, else opaque. */
export function readBraceExpansion(
  cursor: Cursor,
  quoted: boolean,
  readValue: (cursor: Cursor, quoted: boolean) => Word,
): WordPart {
  cursor.position += 2;
  const name = match(cursor, NAME);
  const operator = match(cursor, FALLBACK);
  const valueStart = cursor.position;
  const scripts = cursor.deeper(() => readBalanced(cursor, '', '}', !quoted || operator === ''));
  if (!scripts) throw new MalformedScript('an expansion ${ is never closed');
  const value = cursor.text.slice(valueStart, cursor.position);
  cursor.position++;
  if (name === '' || (operator === '' && value !== '')) return { kind: 'opaque', scripts, quoted };
  if (operator === '') return { kind: 'variable', name, quoted };
  const fallback = cursor.deeper(() => readValue(cursor.nestedIn(value), quoted));
  return { kind: 'variable', name, quoted, fallback };
}

function match(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.position;
  const found = pattern.exec(cursor.text)?.[0] ?? '';
  cursor.position += found.length;
  return found;
}

/**
 * Moves to the `close` that no `open` precedes, minding quotes; undefined when the text ends first. `singleQuotes` says whether `'`
 * quotes here: in `"${x:-it's}"` it is an ordinary character.
 */
function readBalanced(cursor: Cursor, open: string, close: string, singleQuotes: boolean): Script[] | undefined {
  const scripts: Script[] = [];
  let depth = 0;
  while (!cursor.done) {
    if (cursor.char === close && depth === 0) return scripts;
    if (singleQuotes && cursor.char === "'") skipSingleQuotes(cursor);
    else if (cursor.char === '"') skipDoubleQuotes(cursor, scripts);
    else if (!skipActive(cursor, scripts, !singleQuotes)) {
      if (cursor.char === open) depth++;
      else if (cursor.char === close) depth--;
      cursor.position++;
    }
  }
  return undefined;
}

/** Passes one escape or expansion at the cursor; false when there is none. */
function skipActive(cursor: Cursor, scripts: Script[], quoted: boolean): boolean {
  if (cursor.char === '\\') cursor.position += 2;
  else if (cursor.startsWith('$(')) skipSubstitution(cursor, scripts);
  else if (cursor.startsWith('${')) skipNested(cursor, scripts, quoted);
  else if (cursor.char === '`') skipBackticks(cursor, scripts);
  else return false;
  return true;
}

function skipSingleQuotes(cursor: Cursor): void {
  const end = cursor.text.indexOf("'", cursor.position + 1);
  cursor.position = end < 0 ? cursor.position + 1 : end + 1;
}

function skipDoubleQuotes(cursor: Cursor, scripts: Script[]): void {
  cursor.position++;
  while (!cursor.done && cursor.char !== '"') {
    if (!skipActive(cursor, scripts, true)) cursor.position++;
  }
  cursor.position++;
}

function skipSubstitution(cursor: Cursor, scripts: Script[]): void {
  const arithmetic = cursor.startsWith('$((') ? readArithmetic(cursor, '$((', '))') : undefined;
  if (arithmetic) {
    scripts.push(...arithmetic);
    return;
  }
  cursor.position += 2;
  scripts.push(cursor.readNested(cursor, ')'));
}

function skipNested(cursor: Cursor, scripts: Script[], quoted: boolean): void {
  cursor.position += 2;
  const inner = cursor.deeper(() => readBalanced(cursor, '', '}', !quoted));
  if (!inner) throw new MalformedScript('an expansion ${ is never closed');
  scripts.push(...inner);
  cursor.position++;
}

function skipBackticks(cursor: Cursor, scripts: Script[]): void {
  cursor.position++;
  scripts.push(cursor.readNested(cursor.nestedIn(cursor.takeThrough('`', 'a backtick (`)')), ''));
}
