import { readFileSync } from 'node:fs';
import { decodeText } from '../environment/env-file.ts';
import { isSecretVariable } from '../environment/secret-names.ts';
import type { SecretScope } from '../environment/secret-scope.ts';
import { homePaths } from '../home/home-paths.ts';
import { mask } from '../logging/mask.ts';
import { showValue } from './change-config.ts';
import { resolveIn, splitDottedName, valueIn } from './dotted-name.ts';
import type { LoadedConfig } from './load-config.ts';

export interface ConfigGetOptions {
  readonly home: string;
  readonly name: string;
  readonly loaded: LoadedConfig;
  readonly secrets: SecretScope;
}

/** One setting as it is in effect. */
export interface ConfigReading {
  /** Undefined when there is no such setting, and always for a credential, whose value is not handed out. */
  readonly value: unknown;
  /** As it may be shown; undefined when there is no such setting. */
  readonly shown: string | undefined;
  /** Credentials live in `.env` or the shell; a key nobody knows is only in the file. */
  readonly kind: 'setting' | 'credential' | 'unknown';
}

/**
 * Reads one setting, a whole section, a credential (masked) or a key of the file that nobody knows.
 *
 * @example
 * (await configGet({ home, name: 'terminal.timeout', loaded, secrets })).value; // 180
 */
export async function configGet({ home, name, loaded, secrets }: ConfigGetOptions): Promise<ConfigReading> {
  if (isSecretVariable(name)) {
    const value = secrets.get(name);
    return { value: undefined, shown: value === undefined ? undefined : mask(value), kind: 'credential' };
  }
  const parts = name === 'model' ? ['model', 'default'] : splitDottedName(name);
  const known = valueIn(loaded.config, resolveIn(loaded.config, parts));
  if (known !== undefined) return { value: known, shown: showValue(name, known), kind: 'setting' };
  const tree = await fileTree(home);
  const written = valueIn(tree, resolveIn(tree, parts));
  return { value: written, shown: showValue(name, written), kind: 'unknown' };
}

async function fileTree(home: string): Promise<unknown> {
  const { readYaml } = await import('./yaml-text.ts');
  try {
    const read = readYaml(decodeText(readFileSync(homePaths(home).config)).text);
    return 'fault' in read ? {} : read.tree;
  } catch {
    return {};
  }
}
