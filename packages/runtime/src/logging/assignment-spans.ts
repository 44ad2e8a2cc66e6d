import { isSecretName } from '../environment/secret-names.ts';
import { isMasked } from './mask.ts';
import type { SecretSpan } from './secret-span.ts';

/** No text without one of these words holds a name that `isSecretName` accepts. */
const SECRET_WORD = /key|token|secret|passw|passphrase|_pass|_pwd|_auth|credential|authorization|bearer|cookie/i;

/** A name, perhaps in quotes, and the sign that gives it a value. */
const NAME =
  /(?<![A-Za-z0-9_])(?<quote>\\?["'`])?(?<name>[A-Za-z_][A-Za-z0-9_.-]{0,99})(?:\\?["'`])?(?<before>[ \t]{0,8})(?<sign>=>|:=|=(?!=)|:(?!:))(?<after>[ \t]{0,8})/g;

const UNQUOTED = /[^\s"'`,;&|<>(){}[\]\\]{1,4096}/y;
const LONGEST_VALUE = 4096;

/** Words that stand where a value would and are none: types, literals and words about the value. */
const NOT_A_VALUE =
  /^(?:string|str|number|int|integer|float|bool|boolean|bytes|any|unknown|object|array|text|null|none|nil|undefined|true|false|yes|no|required|optional|password|passwd|secret|token|bearer|basic|auto|default|env|hidden|masked|redacted|secretstr|x+|\.+|-+)$/i;

/** `module.name` and `TypeName`: code that refers to a value. */
const DOTTED_NAME = /^[A-Za-z_$]+(?:\.[A-Za-z_$]+)+$/;
const TYPE_NAME = /^[A-Z][A-Za-z]*$/;

/**
 * Finds values given to names that belong to credentials, in shell, `.env`, JSON, YAML, INI and source code. The
 * name decides (`isSecretName`); the value must look like a literal, because the agent reads a lot of code in which
 * `token` is a variable, a type or a parameter.
 */
export function assignmentSpans(text: string): SecretSpan[] {
  if (!SECRET_WORD.test(text)) return [];
  const spans: SecretSpan[] = [];
  for (const match of text.matchAll(NAME)) {
    const { quote, name = '', before, sign = '', after } = match.groups ?? {};
    if (!isSecretName(name)) continue;
    const at = match.index + match[0].length;
    const tight = before === '' && after === '';
    const place: Place = {
      shell: tight && sign === '=' && /^[A-Z][A-Z0-9_]*$/.test(name),
      setting: (tight || sign === ':') && quote === undefined && opensLine(text, match.index),
    };
    const span = quotedValue(text, at) ?? unquotedValue(text, at, place);
    if (span !== undefined) spans.push(span);
  }
  return spans;
}

/** Whether a text is a value and not a reference to one, a type, or a word about it. */
export function isLiteral(value: string): boolean {
  if (isMasked(value) || NOT_A_VALUE.test(value) || DOTTED_NAME.test(value)) return false;
  return !/^[$%<{]|^\d{1,6}$|^(?:process\.env|os\.environ|import\.meta)/.test(value);
}

function quotedValue(text: string, at: number): SecretSpan | undefined {
  const escaped = text[at] === '\\';
  const quote = text[escaped ? at + 1 : at] ?? '';
  if (quote === '' || !`"'\``.includes(quote)) return undefined;
  const delimiter = escaped ? `\\${quote}` : quote;
  const start = at + delimiter.length;
  const end = closing(text, start, delimiter);
  if (end === undefined) return undefined;
  const value = text.slice(start, end);
  return value.length >= 4 && !/\s/.test(value) && isLiteral(value) ? { start, end } : undefined;
}

function closing(text: string, start: number, delimiter: string): number | undefined {
  const limit = Math.min(text.length, start + LONGEST_VALUE);
  for (let at = start; at < limit && text[at] !== '\n'; at++) {
    if (text.startsWith(delimiter, at)) return at;
    if (text[at] === '\\') at++;
  }
  return undefined;
}

interface Place {
  /** `NAME=value` without spaces and in capitals, as in shells and `.env`. */
  readonly shell: boolean;
  /** The name opens its line, as in YAML and INI. */
  readonly setting: boolean;
}

function unquotedValue(text: string, at: number, place: Place): SecretSpan | undefined {
  UNQUOTED.lastIndex = at;
  const value = UNQUOTED.exec(text)?.[0];
  if (value === undefined || !isLiteral(value)) return undefined;
  const end = at + value.length;
  const next = text[end] ?? '\n';
  if ('([{'.includes(next)) return undefined;
  const shell = place.shell && value.length >= 3;
  const opaque = value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value);
  const wholeLine = place.setting && value.length >= 4 && /[\r\n]/.test(next) && !TYPE_NAME.test(value);
  return shell || opaque || wholeLine ? { start: at, end } : undefined;
}

function opensLine(text: string, at: number): boolean {
  return /(?:^|\n)[ \t]*(?:export[ \t]+|-[ \t]+)?$/.test(text.slice(Math.max(0, at - 40), at));
}
