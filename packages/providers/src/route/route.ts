import type { CallLimits } from '../http/call-limits.ts';

/** How a provider is spoken to: a wire protocol, a model object of the AI SDK, or the built-in script. */
export type ApiMode = ConfiguredApiMode | 'language_model';

/** The modes that settings can name: the owner of a model object makes its client with `fromLanguageModel`. */
export type ConfiguredApiMode = 'chat_completions' | 'demo';

/**
 * Where model calls go: an immutable value, replaced as a whole when it changes.
 * `apiKey` is absent for servers that need none; it is bound to the origin of `baseUrl`.
 */
export interface Route {
  readonly provider: string;
  readonly model: string;
  readonly apiMode: ApiMode;
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** Name of the secret the key came from, so that a message can say which one to change. */
  readonly keyEnv?: string;
  readonly contextWindow: number;
  /** True when the window is the fallback for unknown models, not a known value. */
  readonly contextWindowAssumed: boolean;
  /** Limits from the configuration of the provider, which beat the built-in ones. */
  readonly limits?: Partial<CallLimits>;
}

/** A route that settings lead to. */
export interface ConfiguredRoute extends Route {
  readonly apiMode: ConfiguredApiMode;
}

/** Window of a model nobody knows. Source: design decision "Unknown model window". */
export const DEFAULT_CONTEXT_WINDOW = 128_000;
