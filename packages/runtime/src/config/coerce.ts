import { parse } from 'yaml';
import { ExitCode } from '../errors/exit-code.ts';
import { HermesError } from '../errors/hermes-error.ts';
import { expectedValue, type KeyLeaf } from './catalog.ts';

const ON = new Set(['true', 'yes', 'on']);
const OFF = new Set(['false', 'no', 'off']);
const NOTHING = new Set(['null', 'none', '~']);
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/**
 * A value as it stands in a file, brought into the form of its key: `yes` for a switch, `WARNING` for `WARN`,
 * other capitals for a choice, a number for a text. Anything else comes back as it is, for the schema to judge.
 */
export function naturalValue({ info }: KeyLeaf, value: unknown): unknown {
  if (typeof value === 'string') return fromWords(info, value);
  if (typeof value === 'number') {
    if (info.kind === 'text') return String(value);
    return info.spellings?.[String(value)] ?? value;
  }
  return value;
}

function fromWords(info: KeyLeaf['info'], value: string): unknown {
  const word = value.trim().toLowerCase();
  const spelled =
    info.spellings !== undefined && Object.hasOwn(info.spellings, word) ? info.spellings[word] : undefined;
  if (spelled !== undefined) return spelled;
  if (info.kind === 'switch') return ON.has(word) ? true : OFF.has(word) ? false : value;
  if (info.kind === 'choice') return info.allowed?.find((allowed) => allowed.toLowerCase() === word) ?? value;
  return value;
}

/**
 * What a person typed for a known key, in the type of that key (CLI spec 5.2 rule 3). A text key keeps the words
 * as they are, `off` and `null` included. Throws a usage error that names the allowed values.
 *
 * @example
 * typedValue('terminal.timeout', leaf, '90'); // 90
 */
export function typedValue(key: string, leaf: KeyLeaf, typed: string): unknown {
  const { info } = leaf;
  const word = typed.trim();
  if (info.nullable && NOTHING.has(word.toLowerCase())) return null;
  if (info.spellings !== undefined && Object.hasOwn(info.spellings, word.toLowerCase())) {
    return info.kind === 'choice' ? info.spellings[word.toLowerCase()] : plainValue(word);
  }
  const value = info.kind === 'number' && NUMBER.test(word) ? Number(word) : fromWords(info, typed);
  if (leaf.schema.safeParse(value).success) return value;
  throw new HermesError('bad_value', `${key} cannot be ${JSON.stringify(typed)}: it takes ${expectedValue(leaf)}.`, {
    exitCode: ExitCode.usage,
  });
}

/**
 * What a person typed for a key nobody knows: numbers that survive, true, false and null become those, `[...]` and
 * `{...}` are read as YAML, and everything else, `off` and `1.10` included, stays text.
 */
export function plainValue(typed: string): unknown {
  const word = typed.trim();
  if (/^[[{]/.test(word)) return literal(word);
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null' || word === '~') return null;
  return NUMBER.test(word) && String(Number(word)) === word ? Number(word) : typed;
}

function literal(word: string): unknown {
  try {
    return parse(word);
  } catch (cause) {
    throw new HermesError('bad_value', `${word} is not a list or map.`, {
      exitCode: ExitCode.usage,
      hints: ['Write it as [one, two] or {name: value}; put a text that starts with a bracket into quotes.'],
      cause,
    });
  }
}
