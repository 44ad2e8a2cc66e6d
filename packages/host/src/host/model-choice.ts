import {
  createModelClient,
  type ModelClient,
  resolveRoute,
  type Route,
  type RouteConfig,
  type RouteInput,
} from '@hermes/providers';
import { type Environment, HermesError, type SecretScope } from '@hermes/runtime';
import type { Config, LoadedConfig } from '@hermes/runtime/config';

/** Where model calls go now, or why they cannot go anywhere. */
export type RouteState =
  | { readonly ok: true; readonly route: Route }
  | { readonly ok: false; readonly error: HermesError };

/**
 * The model of a host: what was asked for in this call, else what is configured. Resolved again when the choice changes, so that a
 * key that was added meanwhile is found.
 */
export class ModelChoice {
  readonly #settings: LoadedConfig;
  readonly #secrets: SecretScope;
  readonly #proxyEnv: Environment;
  #input: RouteInput;
  #extra: Readonly<Record<string, { readonly baseUrl: string }>> = {};
  #client: ModelClient | undefined;

  constructor(options: {
    readonly settings: LoadedConfig;
    readonly secrets: SecretScope;
    readonly input: RouteInput;
    readonly proxyEnv: Environment;
  }) {
    this.#settings = options.settings;
    this.#secrets = options.secrets;
    this.#input = options.input;
    this.#proxyEnv = options.proxyEnv;
  }

  get state(): RouteState {
    try {
      return { ok: true, route: this.client().route };
    } catch (error) {
      if (error instanceof HermesError) return { ok: false, error };
      throw error;
    }
  }

  /** Throws a `HermesError` that says what to do when there is no route. */
  client(): ModelClient {
    if (!this.#client) {
      const config = routeConfigOf(this.#settings.config, this.#extra);
      const route = resolveRoute(this.#input, config, (name) => this.#secret(name));
      this.#client = createModelClient(route, { proxyEnv: this.#proxyEnv });
    }
    return this.#client;
  }

  /** Chooses another model for the calls to come. A base URL makes a local or custom endpoint known for this host. Returns its route. */
  select(input: RouteInput, baseUrl?: string): Route {
    const earlier = { input: this.#input, extra: this.#extra, client: this.#client };
    this.#input = input;
    if (baseUrl !== undefined && input.provider !== undefined)
      this.#extra = { ...this.#extra, [input.provider]: { baseUrl } };
    this.#client = undefined;
    try {
      return this.client().route;
    } catch (error) {
      this.#input = earlier.input;
      this.#extra = earlier.extra;
      this.#client = earlier.client;
      throw error;
    }
  }

  /** While config.yaml is broken no paid provider is picked because of a key that happens to be there (CLI spec 5.3). */
  #secret(name: string): string | undefined {
    const { broken, config } = this.#settings;
    const chosen = this.#input.provider ?? this.#input.model ?? config.model.default;
    return broken && chosen === '' ? undefined : this.#secrets.get(name);
  }
}

/** The settings under `model` and `providers` as the provider layer wants them. */
export function routeConfigOf(
  config: Config,
  extra: Readonly<Record<string, { readonly baseUrl: string }>> = {},
): RouteConfig {
  const { model } = config;
  const providers = Object.entries(config.providers).map(([id, provider]) => [
    id,
    {
      baseUrl: provider.base_url,
      keyEnv: provider.key_env,
      apiMode: provider.api_mode,
      enabled: provider.enabled,
      ...(provider.request_timeout_seconds === null ? {} : { requestTimeoutSeconds: provider.request_timeout_seconds }),
      models: Object.fromEntries(
        Object.entries(provider.models).map(([name, overrides]) => [
          name,
          overrides.context_length === null ? {} : { contextLength: overrides.context_length },
        ]),
      ),
    },
  ]);
  return {
    model: {
      default: model.default,
      provider: model.provider,
      baseUrl: model.base_url,
      apiMode: model.api_mode,
      ...(model.context_length === null ? {} : { contextLength: model.context_length }),
    },
    providers: { ...extra, ...Object.fromEntries(providers) },
  };
}
