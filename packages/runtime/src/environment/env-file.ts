import { readFileSync } from 'node:fs';
import { errorCode, fileError } from '../files/file-error.ts';

/** One assignment of a `.env` file with its place in the text, end exclusive and without the line end. */
interface EnvEntry {
  readonly name: string;
  readonly value: string;
  /** 1-based line. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

export interface EnvFinding {
  readonly kind: 'duplicate' | 'malformed' | 'unclosed_quote' | 'encoding' | 'unreadable';
  /** 1-based line; 0 for the file as a whole. */
  readonly line: number;
  /** Never holds a value. */
  readonly message: string;
}

export interface EnvFile {
  readonly entries: readonly EnvEntry[];
  /** Name to value; the last assignment of a name wins. */
  readonly values: ReadonlyMap<string, string>;
  readonly findings: readonly EnvFinding[];
}

const ASSIGNMENT = /[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*/y;
/** A line that can only be the next assignment, not a line of a long value (base64 ends in `=` at most). */
const NEXT_ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?[A-Z][A-Z0-9_]*=(?!=?[ \t]*$)/m;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/**
 * Reads the text of a `.env` file: `NAME=value`, optional `export`, single quotes (taken as they are), double quotes
 * (`\n \r \t` and escaped characters), comments, values over several lines inside quotes. Nothing is expanded.
 * A quote that is not closed before the next assignment belongs to the value, so that one slip does not swallow the
 * keys after it.
 *
 * @example
 * parseEnvFile('export OPENAI_API_KEY="abc" # work').values.get('OPENAI_API_KEY'); // 'abc'
 */
export function parseEnvFile(text: string): EnvFile {
  const entries: EnvEntry[] = [];
  const findings: EnvFinding[] = [];
  let line = 1;
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; ) {
    const lineEnd = endOfLine(text, at);
    ASSIGNMENT.lastIndex = at;
    const match = ASSIGNMENT.exec(text);
    let end = lineEnd;
    if (match?.[1] !== undefined && ASSIGNMENT.lastIndex <= lineEnd) {
      const read = readValue(text, ASSIGNMENT.lastIndex, lineEnd);
      end = read.end;
      entries.push({ name: match[1], value: read.value, line, start: at, end });
      if (read.unclosed)
        findings.push({ kind: 'unclosed_quote', line, message: `the quote of ${match[1]} is not closed` });
    } else if (/^\s*[^#\s]/.test(text.slice(at, lineEnd))) {
      findings.push({ kind: 'malformed', line, message: 'not of the form NAME=value' });
    }
    line += countLines(text, at, end) + 1;
    at = endOfLine(text, end) + 1;
  }
  const values = new Map<string, string>();
  for (const entry of entries) {
    if (values.has(entry.name)) {
      findings.push({ kind: 'duplicate', line: entry.line, message: `${entry.name} is set again; this one counts` });
    }
    values.set(entry.name, entry.value);
  }
  return { entries, values, findings };
}

/**
 * Reads a `.env` file from disk. A missing one is empty, and one that cannot be read is reported, never thrown: it
 * must not keep the prompt from appearing (CLI spec 1.7). Bytes that are not UTF-8 are read as Latin-1.
 */
export function readEnvFile(path: string): EnvFile {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return parseEnvFile('');
    const finding: EnvFinding = { kind: 'unreadable', line: 0, message: fileError('read', path, error).message };
    return { ...parseEnvFile(''), findings: [finding] };
  }
  const { text, latin1 } = decodeText(bytes);
  const parsed = parseEnvFile(text);
  if (!latin1) return parsed;
  const finding: EnvFinding = { kind: 'encoding', line: 0, message: 'not UTF-8; read as Latin-1' };
  return { ...parsed, findings: [finding, ...parsed.findings] };
}

/** Text of a file a person wrote: UTF-8, with Latin-1 as the fallback. */
export function decodeText(bytes: Uint8Array): { text: string; latin1: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), latin1: false };
  } catch {
    return { text: Buffer.from(bytes).toString('latin1'), latin1: true };
  }
}

interface ReadValue {
  readonly value: string;
  readonly end: number;
  readonly unclosed: boolean;
}

function readValue(text: string, start: number, lineEnd: number): ReadValue {
  const quote = text[start];
  if (quote !== '"' && quote !== "'")
    return { value: bareValue(text.slice(start, lineEnd)), end: lineEnd, unclosed: false };
  const close = closingQuote(text, start + 1, quote);
  const spansNext = close > lineEnd && NEXT_ASSIGNMENT.test(text.slice(lineEnd, close));
  if (close === -1 || spansNext) return { value: bareValue(text.slice(start, lineEnd)), end: lineEnd, unclosed: true };
  const inner = text.slice(start + 1, close);
  const value = quote === "'" ? inner : inner.replace(/\\([\s\S])/g, (_, char: string) => ESCAPES[char] ?? char);
  return { value, end: endOfLine(text, close), unclosed: false };
}

function closingQuote(text: string, from: number, quote: string): number {
  if (quote === "'") return text.indexOf(quote, from);
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

/** An unquoted value ends at a comment that follows white space. */
function bareValue(rest: string): string {
  return rest.replace(/(?:^|[ \t])#.*$/, '').trim();
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
