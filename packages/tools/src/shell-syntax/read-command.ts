import type { Cursor } from './cursor.ts';
import { readWord } from './read-word.ts';
import { type Assignment, MalformedScript, type Redirection, type SimpleCommand, type Word } from './script.ts';

const ASSIGNMENT = /([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]\s]*\])?\+?=/y;
const REDIRECTION = /(?:\d+|\{[A-Za-z_]\w*\})?(&>>|&>|<<<|<<-|<<|<>|<&|>>|>&|>\||<(?!\()|>(?!\())/y;

/** Reads one simple command: assignments, words and redirections up to a separator. `input` is what is piped into it. */
export function readCommand(cursor: Cursor, input: SimpleCommand | undefined): SimpleCommand {
  const assignments: Assignment[] = [];
  const words: Word[] = [];
  const redirections: Redirection[] = [];
  for (;;) {
    cursor.skipBlanks();
    const redirection = readRedirection(cursor);
    if (redirection) {
      redirections.push(redirection);
      continue;
    }
    const assignment = words.length === 0 ? readAssignment(cursor) : undefined;
    if (assignment) {
      assignments.push(assignment);
      continue;
    }
    const word = readWord(cursor);
    if (!word) break;
    words.push(word);
    if (cursor.char === '(' && isDeclaredArray(word)) readArray(cursor, words);
  }
  return { assignments, words, redirections, input, after: '' };
}

/** The text of a word written without quotes or expansions; undefined for any other. */
export function literalText(word: Word | undefined): string | undefined {
  const part = word?.parts[0];
  return word?.parts.length === 1 && part?.kind === 'text' && !part.quoted ? part.text : undefined;
}

function readAssignment(cursor: Cursor): Assignment | undefined {
  ASSIGNMENT.lastIndex = cursor.position;
  const found = ASSIGNMENT.exec(cursor.text);
  const name = found?.[1];
  if (!found || name === undefined) return undefined;
  cursor.position += found[0].length;
  if (cursor.char !== '(') return { name, value: readWord(cursor) ?? { parts: [] } };
  const elements: Word[] = [];
  readArray(cursor, elements);
  return { name, value: { parts: elements.flatMap((element) => element.parts) } };
}

/** `declare -a list=( … )`: the word before the bracket ends in `=`. */
function isDeclaredArray(word: Word): boolean {
  const last = word.parts.at(-1);
  return last?.kind === 'text' && last.text.endsWith('=');
}

function readArray(cursor: Cursor, elements: Word[]): void {
  cursor.position++;
  for (;;) {
    for (cursor.skipBlanks(); cursor.char === '\n'; cursor.skipBlanks()) cursor.position++;
    if (cursor.done) throw new MalformedScript('an array ( is never closed');
    if (cursor.char === ')') break;
    const element = readWord(cursor);
    if (element) elements.push(element);
    else cursor.position++;
  }
  cursor.position++;
}

function readRedirection(cursor: Cursor): Redirection | undefined {
  REDIRECTION.lastIndex = cursor.position;
  const found = REDIRECTION.exec(cursor.text);
  const operator = found?.[1];
  if (!found || operator === undefined) return undefined;
  cursor.position += found[0].length;
  cursor.skipBlanks();
  const target = readWord(cursor) ?? { parts: [] };
  const redirection: Redirection = { operator, target };
  if (operator === '<<' || operator === '<<-') {
    const delimiter = target.parts.map((part) => (part.kind === 'text' ? part.text : sourceName(part))).join('');
    const expands = target.parts.every((part) => part.kind !== 'text' || !part.quoted);
    cursor.heredocs.push({ redirection, delimiter, stripTabs: operator === '<<-', expands });
  }
  return redirection;
}

/** A here-document delimiter is taken as written: `<<$x` ends at a line `$x`. */
function sourceName(part: Word['parts'][number]): string {
  return part.kind === 'variable' ? `$${part.name}` : '';
}
