import { readFileSync, statSync } from 'node:fs';
import { decodeText } from '../environment/env-file.ts';
import { isSwitchedOn, variable } from '../environment/overrides.ts';
import type { Environment } from '../environment/process-environment.ts';
import type { SecretScope } from '../environment/secret-scope.ts';
import { errorCode, fileError } from '../files/file-error.ts';
import { type HomePaths, homePaths } from '../home/home-paths.ts';
import type { CheckedConfig, ConfigWarning } from './checked-config.ts';
import { type Config, type ConfigOverrides, DEFAULT_CONFIG, LANGUAGES } from './config.ts';
import { goodBackups, keepBackup } from './config-backups.ts';
import { readCachedConfig, writeCachedConfig } from './config-cache.ts';
import { expandReferences } from './expand-references.ts';
import { overlay } from './overlay.ts';

export interface LoadConfigOptions {
  /** Home of the profile. */
  readonly home: string;
  /** Values for `${NAME}` references: this profile's secrets and no other's. */
  readonly secrets: SecretScope;
  /** Where the published overrides are read from. */
  readonly env: Environment;
  /** Settings given on the command line; they win over everything else. */
  readonly flags?: ConfigOverrides;
  /** What was loaded before in this process; served on when the file has been broken since. */
  readonly previous?: LoadedConfig;
}

/** A `config.yaml` that cannot be used; line and column are 0 when it could not even be read. */
export interface BrokenConfig {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface LoadedConfig {
  /** Complete and frozen. */
  readonly config: Config;
  readonly warnings: readonly ConfigWarning[];
  readonly source: {
    /** `previous` and `backup` are the last good settings, in use because the file is broken. */
    readonly kind: 'defaults' | 'file' | 'previous' | 'backup';
    /** File the settings were read from; for `defaults` and `previous`, the file that would be. */
    readonly path: string;
  };
  /** Set while the file cannot be used. Nobody may write it then, nor pick a paid provider by guessing. */
  readonly broken?: BrokenConfig;
  /** The settings of the file alone, before references, variables and flags. */
  readonly checked: CheckedConfig;
}

interface FileState {
  readonly checked: CheckedConfig;
  readonly source: LoadedConfig['source'];
  readonly broken?: BrokenConfig;
}

/**
 * Loads the settings of a profile: built-in defaults, `config.yaml`, the published environment overrides, flags, each
 * winning over the one before it leaf by leaf (CLI spec 5.1; the managed layer is not built yet). Never throws for
 * what a file says: a wrong value costs that key, a broken file leaves the last good settings in use, and `warnings`
 * tells what happened.
 *
 * A file of comments, or one seen before, is loaded without the YAML reader and the schema.
 *
 * @example
 * const { config, warnings } = await loadConfig({ home: scope.home, secrets, env: processEnvironment() });
 * config.terminal.timeout; // 180
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const paths = homePaths(options.home);
  const state = await readState(paths, options.previous);
  const expanded = expandReferences(state.checked.values, (name) => options.secrets.get(name));
  const overrides = environmentOverrides(options.env);
  const config = overlay(overlay(expanded.values, overrides.values), options.flags ?? {});
  const warnings = [...state.checked.warnings, ...expanded.warnings, ...overrides.warnings];
  if (state.broken !== undefined) warnings.unshift(brokenWarning(state.broken, state.source));
  return {
    config: deepFreeze(config),
    warnings,
    source: state.source,
    checked: state.checked,
    ...(state.broken === undefined ? {} : { broken: state.broken }),
  };
}

async function readState(paths: HomePaths, previous: LoadedConfig | undefined): Promise<FileState> {
  const defaults: FileState = {
    checked: { values: DEFAULT_CONFIG, warnings: [] },
    source: { kind: 'defaults', path: paths.config },
  };
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(paths.config);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return defaults;
    const { message } = fileError('read', paths.config, error);
    return lastGood(paths, previous, { path: paths.config, line: 0, column: 0, message });
  }
  const { text } = decodeText(bytes);
  if (!hasContent(text)) return defaults;
  const source = { kind: 'file', path: paths.config } as const;
  const cached = readCachedConfig(paths.configCache, text);
  if (cached !== undefined) return { checked: cached, source };
  const { checkText } = await import('./check-text.ts');
  const checked = checkText(text);
  if ('fault' in checked) {
    await keepBackup(paths.configBackups, 'corrupt', text, changedAt(paths.config));
    return lastGood(paths, previous, { path: paths.config, ...checked.fault });
  }
  await keepBackup(paths.configBackups, 'good', text, changedAt(paths.config));
  await writeCachedConfig(paths.configCache, text, checked);
  return { checked, source };
}

/** What stays in use while the file is broken: memory, else the newest good copy, else the defaults (CLI spec 5.3). */
async function lastGood(
  paths: HomePaths,
  previous: LoadedConfig | undefined,
  broken: BrokenConfig,
): Promise<FileState> {
  if (previous !== undefined) {
    const kind = previous.source.kind === 'file' ? 'previous' : previous.source.kind;
    return { checked: previous.checked, source: { kind, path: previous.source.path }, broken };
  }
  for (const backup of goodBackups(paths.configBackups)) {
    const { checkText } = await import('./check-text.ts');
    const checked = checkText(backup.text);
    if (!('fault' in checked)) return { checked, source: { kind: 'backup', path: backup.path }, broken };
  }
  return {
    checked: { values: DEFAULT_CONFIG, warnings: [] },
    source: { kind: 'defaults', path: paths.config },
    broken,
  };
}

function brokenWarning(broken: BrokenConfig, source: LoadedConfig['source']): ConfigWarning {
  const inUse = {
    file: 'the file',
    previous: 'the settings from before the change',
    backup: `the last good copy, ${source.path}`,
    defaults: 'the built-in defaults',
  }[source.kind];
  const place = broken.line > 0 ? `${broken.path} is broken at line ${broken.line}, column ${broken.column}: ` : '';
  const message = `${place}${broken.message.replace(/[.:]?$/, '.')} In use: ${inUse}. Nothing is written until it is repaired.`;
  return { kind: broken.line > 0 ? 'broken' : 'unreadable', message };
}

/** Whether a text says anything: the file of a first launch holds comments only. */
function hasContent(text: string): boolean {
  return /^[ \t\uFEFF]*[^#\s\uFEFF]/m.test(text);
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function environmentOverrides(env: Environment): { values: ConfigOverrides; warnings: ConfigWarning[] } {
  const model = variable(env, 'HERMES_INFERENCE_MODEL');
  const wanted = variable(env, 'HERMES_LANGUAGE')?.toLowerCase();
  const language = LANGUAGES.find((known) => known === wanted);
  const warnings: ConfigWarning[] =
    wanted === undefined || language !== undefined
      ? []
      : [
          {
            kind: 'environment',
            key: 'display.language',
            message: `HERMES_LANGUAGE=${wanted} is not available; English is used.`,
          },
        ];
  return {
    values: {
      ...(model === undefined ? {} : { model: { default: model } }),
      display: {
        ...(wanted === undefined ? {} : { language: language ?? 'en' }),
        ...(isSwitchedOn(env, 'HERMES_TUI') ? { interface: 'tui' } : {}),
      },
    },
    warnings,
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const item of Object.values(value)) deepFreeze(item);
    Object.freeze(value);
  }
  return value;
}
