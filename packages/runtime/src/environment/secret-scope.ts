import { inspect } from 'node:util';
import { HermesError } from '../errors/hermes-error.ts';
import { type EnvFinding, readEnvFile } from './env-file.ts';
import { variable } from './overrides.ts';
import type { Environment } from './process-environment.ts';
import { isHermesCredential, isSecretName } from './secret-names.ts';

/** A shorter value appears in ordinary text by accident, unless it mixes letters with other characters. */
const SHORTEST_SECRET = 8;
const SHORTEST_MIXED_SECRET = 4;
/** The same for a value that may be something else than a credential. */
const SHORTEST_DOUBTFUL_SECRET = 12;

export interface SecretSources {
  /** Path of the `.env` file, named in messages. */
  readonly path: string;
  readonly file: ReadonlyMap<string, string>;
  /** Variables exported by the parent process; empty where several profiles share one process. */
  readonly shell: Environment;
  /** Names that settings declare to be secrets (`key_env`). */
  readonly declared?: ReadonlySet<string>;
}

/**
 * The credentials of one profile. A name is looked up in the variables the parent process exported, then in the
 * profile's `.env`; nothing else is asked, so a miss is a miss (tools spec 16). The scope never shows a value when
 * it is printed, logged or turned into JSON.
 *
 * @example
 * const { secrets } = loadSecrets({ path: paths.env, shell: processEnvironment() });
 * secrets.get('OPENAI_API_KEY'); // the key, or undefined
 */
export class SecretScope {
  readonly #sources: SecretSources;

  constructor(sources: SecretSources) {
    this.#sources = sources;
  }

  /** The value, undefined when it is not set or empty. */
  get(name: string): string | undefined {
    const fromFile = this.#sources.file.get(name);
    return variable(this.#sources.shell, name) ?? (fromFile === '' ? undefined : fromFile);
  }

  /** The value; throws a `HermesError` that names the key and how to set it when there is none. */
  require(name: string): string {
    const value = this.get(name);
    if (value !== undefined) return value;
    throw new HermesError('missing_secret', `${name} is not set.`, {
      hints: [`Store it in ${this.#sources.path} with: hermes config set ${name} VALUE`, 'Or export it in your shell.'],
    });
  }

  /** Names of everything here that is a credential: all of `.env`, what settings declare, and exported look-alikes. */
  names(): string[] {
    const { file, shell, declared } = this.#sources;
    const exported = Object.keys(shell).filter((name) => isSecretName(name));
    return [...new Set([...file.keys(), ...(declared ?? []), ...exported])].filter(
      (name) => this.get(name) !== undefined,
    );
  }

  /** Whether the name is a credential by being in `.env` or in the settings, whatever it looks like. */
  owns(name: string): boolean {
    return this.#sources.file.has(name) || (this.#sources.declared?.has(name) ?? false);
  }

  /** The values to be masked wherever they appear in text. */
  values(): string[] {
    const { file, declared } = this.#sources;
    const values = new Set<string>();
    for (const name of this.names()) {
      const certain =
        isHermesCredential(name) || (this.owns(name) && (isSecretName(name) || declared?.has(name) === true));
      for (const value of [this.get(name), file.get(name)]) {
        if (value !== undefined && isMaskable(value, certain)) values.add(value);
      }
    }
    return [...values];
  }

  /** The same scope that also counts these names as credentials. */
  declaring(names: Iterable<string>): SecretScope {
    return new SecretScope({ ...this.#sources, declared: new Set([...(this.#sources.declared ?? []), ...names]) });
  }

  toString(): string {
    return `SecretScope(${this.names().length} secrets)`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

/**
 * Reads a profile's `.env` into a scope. Never throws: what is wrong with the file comes back as findings.
 */
export function loadSecrets(options: { path: string; shell: Environment }): {
  secrets: SecretScope;
  findings: readonly EnvFinding[];
} {
  const { values, findings } = readEnvFile(options.path);
  return { secrets: new SecretScope({ path: options.path, file: values, shell: options.shell }), findings };
}

/**
 * `.env` is for secrets only, but people keep switches, user ids and paths in it, and a shell may export
 * `POSTGRES_PASSWORD=postgres`. Masking those would garble every text with a directory, a number or that word, so
 * a value that Hermes does not use itself must look like a credential.
 */
function isMaskable(value: string, certain: boolean): boolean {
  if (certain) return value.length >= SHORTEST_SECRET || (value.length >= SHORTEST_MIXED_SECRET && isMixed(value));
  if (value.length < SHORTEST_DOUBTFUL_SECRET || !isMixed(value)) return false;
  return /\d/.test(value) && !/^(?:[~./]|[a-z]+:\/\/[^@?]*$)|\s/i.test(value);
}

function isMixed(value: string): boolean {
  return /[A-Za-z]/.test(value) && /[^A-Za-z]/.test(value);
}
