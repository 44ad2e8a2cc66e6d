/** The part of `config.yaml` under `model`. Source: CLI spec 5.7, "Models". */
export interface ModelConfig {
  /** Name of the model, also as `provider/model`. */
  readonly default?: string;
  /** Id of the provider; `auto` or empty chooses by the model's name and the keys at hand. */
  readonly provider?: string;
  readonly baseUrl?: string;
  /** `auto` or empty leaves it to the provider. */
  readonly apiMode?: string;
  /** Window of the default model, in tokens. */
  readonly contextLength?: number;
}

/** One entry under `providers`: a provider of one's own, or changes to a built-in one. Source: CLI spec 5.7, "Models". */
export interface ProviderConfig {
  readonly baseUrl?: string;
  /** Name of the secret that holds the key. */
  readonly keyEnv?: string;
  readonly apiMode?: string;
  readonly enabled?: boolean;
  readonly requestTimeoutSeconds?: number;
  readonly staleTimeoutSeconds?: number;
  readonly models?: Readonly<Record<string, { readonly contextLength?: number }>>;
}

/** What the route is resolved from. */
export interface RouteConfig {
  readonly model?: ModelConfig;
  readonly providers?: Readonly<Record<string, ProviderConfig>>;
}
