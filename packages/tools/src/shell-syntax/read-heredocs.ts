import type { Cursor, PendingHeredoc } from './cursor.ts';
import { readQuoted } from './read-word.ts';
import type { Word } from './script.ts';

/** Reads the bodies of the here-documents that were announced on the line just ended. */
export function readHeredocBodies(cursor: Cursor): void {
  for (const heredoc of cursor.heredocs.splice(0)) heredoc.redirection.body = readBody(cursor, heredoc);
}

/** A body whose delimiter never comes ends with the text, as in bash. */
function readBody(cursor: Cursor, heredoc: PendingHeredoc): Word {
  const lines: string[] = [];
  while (!cursor.done) {
    const end = cursor.text.indexOf('\n', cursor.position);
    const raw = cursor.text.slice(cursor.position, end < 0 ? undefined : end);
    const line = heredoc.stripTabs ? raw.replace(/^\t+/u, '') : raw;
    if (line !== heredoc.delimiter && closesSubstitution(cursor, line, heredoc.delimiter)) {
      cursor.position += raw.length - line.length + heredoc.delimiter.length;
      break;
    }
    cursor.position = end < 0 ? cursor.text.length : end + 1;
    if (line === heredoc.delimiter) break;
    lines.push(line);
  }
  const text = lines.map((line) => `${line}\n`).join('');
  return { parts: heredoc.expands ? readQuoted(cursor.nestedIn(text), '') : [{ kind: 'text', text, quoted: true }] };
}

/** `$(cat <<EOF … EOF)`: bash accepts the closing bracket right behind the delimiter. */
function closesSubstitution(cursor: Cursor, line: string, delimiter: string): boolean {
  return cursor.nested && delimiter !== '' && line.startsWith(`${delimiter})`);
}
