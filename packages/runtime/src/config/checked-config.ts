import type { Config } from './config.ts';

/** Something about the configuration that a person should hear of; never a reason to stop. */
export interface ConfigWarning {
  readonly kind:
    | 'alias'
    | 'broken'
    | 'duplicate_key'
    | 'environment'
    | 'newer_version'
    | 'reference'
    | 'unknown_key'
    | 'unreadable'
    | 'wrong_type';
  /** The key it is about; absent when it is about the file. */
  readonly key?: string;
  readonly message: string;
}

/** The settings of one file: complete, checked, references such as `${NAME}` still as written. */
export interface CheckedConfig {
  readonly values: Config;
  readonly warnings: readonly ConfigWarning[];
}

/** Newest `_config_version` this program understands; files of Hermes (Python) go up to it (CLI spec 5.3). */
export const CONFIG_VERSION = 45;
export const VERSION_KEY = '_config_version';
