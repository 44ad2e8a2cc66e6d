import { readFileSync } from 'node:fs';
import { decodeText } from '../environment/env-file.ts';
import { setEnvEntry, unsetEnvEntry } from '../environment/env-file-edit.ts';
import { isSecretName, isSecretVariable, isSteeringVariable } from '../environment/secret-names.ts';
import { ExitCode } from '../errors/exit-code.ts';
import { HermesError } from '../errors/hermes-error.ts';
import { errorCode, fileError } from '../files/file-error.ts';
import { withFileLock } from '../files/file-lock.ts';
import { writeFileAtomic } from '../files/write-file-atomic.ts';
import { homePaths } from '../home/home-paths.ts';
import { mask } from '../logging/mask.ts';
import { redact } from '../logging/redact.ts';
import type { ConfigWarning } from './checked-config.ts';
import type { EffectClass } from './effect.ts';
import type { PlannedChange } from './plan-change.ts';

/** How long one change waits for another process to finish its own (CLI spec 5.2 rule 8). */
const LOCK_WAIT_MS = 5_000;
/** Somebody who saves the file again and again while it is being changed wins in the end. */
const MOST_ATTEMPTS = 5;
/** `config.yaml` and `.env` are for their owner only (CLI spec 4.1). */
const FILE_MODE = 0o600;

/** What a change did, for showing; credentials in it are masked. */
export interface ConfigChange {
  /** File that holds the key. */
  readonly file: string;
  readonly key: string;
  /** The new value as it may be shown; undefined after an unset. */
  readonly shown: string | undefined;
  /** False when the file said the same already. */
  readonly changed: boolean;
  /** When it takes effect; undefined for a key nobody knows. */
  readonly effect: EffectClass | undefined;
  readonly notes: readonly string[];
  readonly warnings: readonly ConfigWarning[];
}

export interface ConfigSetOptions {
  /** Home of the profile; it must exist. */
  readonly home: string;
  /** Dotted key, or the name of a credential such as `OPENAI_API_KEY`. */
  readonly name: string;
  /** As typed. */
  readonly value: string;
  /** Lets a value replace a section and a section a value. */
  readonly force?: boolean;
  /** Refuses unknown keys, with exit code 78. */
  readonly strict?: boolean;
}

/**
 * Stores one setting: credentials in `.env`, everything else in `config.yaml`, where only the lines of that key
 * change (CLI spec 5.2). Throws a `HermesError` for what is refused; exit code 2 for a value or key that is wrong,
 * 75 when another process keeps the file locked, 78 when the file is broken. Nothing is written then.
 *
 * @example
 * const change = await configSet({ home, name: 'terminal.timeout', value: '90' });
 * change.effect; // 'next_turn'
 */
export async function configSet(options: ConfigSetOptions): Promise<ConfigChange> {
  const { home, name, value } = options;
  refuseSteering(name);
  if (isSecretVariable(name)) return changeSecret(home, name, value);
  const rules = { force: options.force ?? false, strict: options.strict ?? false };
  const { planSet } = await import('./plan-change.ts');
  return changeFile(home, (path, text) => planSet(path, text, name, value, rules));
}

export interface ConfigUnsetOptions {
  readonly home: string;
  readonly name: string;
}

/** Removes one setting or credential, so that its default applies again. Throws as `configSet` does. */
export async function configUnset({ home, name }: ConfigUnsetOptions): Promise<ConfigChange> {
  if (isSecretVariable(name)) return changeSecret(home, name, undefined);
  const { planUnset } = await import('./plan-change.ts');
  return changeFile(home, (path, text) => planUnset(path, text, name));
}

function refuseSteering(name: string): void {
  if (!isSteeringVariable(name)) return;
  throw new HermesError('steering_variable', `${name} steers other programs, so it is not kept in a file.`, {
    exitCode: ExitCode.usage,
    hints: [`Export ${name} in your shell where you need it.`],
  });
}

async function changeSecret(home: string, name: string, value: string | undefined): Promise<ConfigChange> {
  const { env, configLock } = homePaths(home);
  const changed = await withFileLock(configLock, { waitMs: LOCK_WAIT_MS }, () =>
    rewrite(env, (text) => (value === undefined ? unsetEnvEntry(text, name) : setEnvEntry(text, name, value))),
  );
  const shown = value === undefined ? undefined : mask(value);
  return { file: env, key: name, shown, changed, effect: 'restart', notes: [], warnings: [] };
}

async function changeFile(home: string, plan: (path: string, text: string) => PlannedChange): Promise<ConfigChange> {
  const { config, configLock } = homePaths(home);
  return withFileLock(configLock, { waitMs: LOCK_WAIT_MS }, async () => {
    let planned: PlannedChange | undefined;
    const changed = await rewrite(config, (text) => {
      planned = plan(config, text);
      return planned.text;
    });
    if (planned === undefined) throw new Error('The change was not worked out.');
    const { key, value, effect, notes, warnings } = planned;
    return { file: config, key, shown: showValue(key, value), changed, effect, notes, warnings };
  });
}

/** A value as it may be shown: masked where the key or the value itself looks like a credential. */
export function showValue(key: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return isSecretName(key) ? mask(text) : redact(text);
}

/** Reads, changes and writes a file; begins again when somebody else changed it in between. */
async function rewrite(path: string, change: (text: string) => string): Promise<boolean> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const before = readBytes(path);
    const text = before === undefined ? '' : decodeText(before).text;
    const changed = change(text);
    if (changed === text) return false;
    if (!sameBytes(before, readBytes(path))) continue;
    await writeFileAtomic(path, changed, { mode: FILE_MODE });
    return true;
  }
  throw new HermesError('file_busy', `${path} keeps being changed by another program.`, {
    exitCode: ExitCode.tryAgain,
    hints: ['Close it there and try again.'],
  });
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    const { code, message, hints } = fileError('read', path, error);
    throw new HermesError(code, message, { exitCode: ExitCode.config, hints, cause: error });
  }
}

function sameBytes(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}
