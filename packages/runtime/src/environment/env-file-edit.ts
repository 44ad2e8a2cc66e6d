import { ExitCode } from '../errors/exit-code.ts';
import { HermesError } from '../errors/hermes-error.ts';
import { parseEnvFile } from './env-file.ts';

/** Characters that need no quotes in a value. */
const BARE = /^[A-Za-z0-9_./:@%+=,~^-]+$/;

/**
 * The text of a `.env` file with one name set. The last assignment of that name is replaced where it stands,
 * because it is the one that counts; a new name goes to the end. No other line changes.
 *
 * @example
 * setEnvEntry('# keys\nA=1\n', 'B', 'two words'); // '# keys\nA=1\nB="two words"\n'
 */
export function setEnvEntry(text: string, name: string, value: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw refused(`"${name}" cannot be the name of a variable.`);
  if (value.includes('\0')) throw refused(`The value of ${name} holds a NUL character.`);
  const entry = parseEnvFile(text).entries.findLast((candidate) => candidate.name === name);
  const assignment = `${name}=${quoted(value)}`;
  if (entry === undefined) {
    const separator = text === '' || text.endsWith('\n') ? '' : '\n';
    return `${text}${separator}${assignment}\n`;
  }
  const exported = /^[ \t]*export[ \t]+/.exec(text.slice(entry.start, entry.end))?.[0] ?? '';
  return `${text.slice(0, entry.start)}${exported}${assignment}${text.slice(entry.end)}`;
}

/** The text without any assignment of that name; comments and all other lines stay. */
export function unsetEnvEntry(text: string, name: string): string {
  let result = text;
  for (const entry of parseEnvFile(text).entries.toReversed()) {
    if (entry.name !== name) continue;
    const after = result[entry.end] === '\n' ? entry.end + 1 : entry.end;
    result = result.slice(0, entry.start) + result.slice(after);
  }
  return result;
}

/** Multi-line values are written with `\n`, so that an entry stays one line. */
function quoted(value: string): string {
  if (BARE.test(value)) return value;
  const escaped = value
    .replace(/[\\"]/g, (char) => `\\${char}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
  return `"${escaped}"`;
}

function refused(message: string): HermesError {
  return new HermesError('bad_variable', message, { exitCode: ExitCode.usage });
}
