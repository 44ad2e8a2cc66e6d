import { LOG_LEVELS, type LogLevel } from '../logging/logger.ts';

/** Wire protocols a provider can speak; `auto` lets the provider's profile or its address decide. */
export const API_MODES = [
  'auto',
  'chat_completions',
  'codex_responses',
  'anthropic_messages',
  'bedrock_converse',
  'gemini',
] as const;

/** Languages of the interface (CLI spec 11); `auto` follows the locale. */
export const LANGUAGES = [
  'auto',
  'en',
  'zh',
  'zh-hant',
  'ja',
  'de',
  'es',
  'fr',
  'tr',
  'uk',
  'af',
  'ko',
  'it',
  'ga',
  'pt',
  'ru',
  'hu',
] as const;

export const INTERFACES = ['tui', 'cli'] as const;

/** What happens to input while a turn runs; `auto` steers in terminals and queues on chats. */
export const BUSY_INPUT_MODES = ['auto', 'queue', 'steer'] as const;

export { LOG_LEVELS };

type ApiModeSetting = (typeof API_MODES)[number];

interface ModelOverrides {
  /** Tokens; null when the catalog knows. */
  readonly context_length: number | null;
}

export interface ProviderConfig {
  readonly base_url: string;
  readonly api_mode: ApiModeSetting;
  /** Name of the variable that holds the key; empty for the provider's own. */
  readonly key_env: string;
  readonly enabled: boolean;
  readonly request_timeout_seconds: number | null;
  /** By model id. */
  readonly models: Readonly<Record<string, ModelOverrides>>;
}

/**
 * All settings of a profile, complete and checked. Names and nesting are those of `config.yaml`, so that a key means
 * the same in code, files, documents and on screen (CLI spec 5.7).
 */
export interface Config {
  readonly model: {
    readonly default: string;
    readonly provider: string;
    readonly base_url: string;
    readonly api_mode: ApiModeSetting;
    readonly context_length: number | null;
  };
  /** By provider id. */
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  readonly agent: {
    /** Model calls in one turn; null leaves it to the host, 0 is no limit. */
    readonly max_turns: number | null;
    readonly api_max_retries: number;
  };
  readonly terminal: {
    /** Seconds. */
    readonly timeout: number;
    readonly cwd: string;
  };
  readonly memory: {
    readonly memory_enabled: boolean;
    readonly user_profile_enabled: boolean;
    readonly memory_char_limit: number;
    readonly user_char_limit: number;
  };
  readonly display: {
    readonly interface: (typeof INTERFACES)[number];
    readonly language: (typeof LANGUAGES)[number];
    readonly busy_input_mode: (typeof BUSY_INPUT_MODES)[number];
    readonly show_reasoning: boolean;
  };
  readonly logging: {
    readonly level: LogLevel;
  };
  /** Characters; null scales with the model's window. */
  readonly context_file_max_chars: number | null;
}

/** The built-in values (CLI spec 5.7). The schema takes its defaults from here; they are never written to a file. */
export const DEFAULT_CONFIG: Config = {
  model: { default: '', provider: 'auto', base_url: '', api_mode: 'auto', context_length: null },
  providers: {},
  agent: { max_turns: null, api_max_retries: 3 },
  terminal: { timeout: 180, cwd: '.' },
  memory: { memory_enabled: true, user_profile_enabled: true, memory_char_limit: 2200, user_char_limit: 1375 },
  display: { interface: 'tui', language: 'auto', busy_input_mode: 'auto', show_reasoning: true },
  logging: { level: 'INFO' },
  context_file_max_chars: null,
};

/** Some settings, such as those given on the command line. */
export type ConfigOverrides = { readonly [Section in keyof Config]?: Overrides<Config[Section]> };

type Overrides<T> = T extends Readonly<Record<string, unknown>> ? { readonly [Key in keyof T]?: T[Key] } : T;
