import type { ProviderConfig, RouteConfig } from './provider-config.ts';
import type { ConfiguredApiMode } from './route.ts';

/** A provider as routes are made from it. */
export interface ProviderProfile {
  readonly id: string;
  readonly apiMode: ConfiguredApiMode;
  readonly baseUrl: string;
  /** Name of the secret that holds the key; absent when it needs none. */
  readonly keyEnv?: string;
  /** Serves the models of others, whose names contain a slash. */
  readonly aggregator: boolean;
  /** Runs on this machine: chosen only by name, because nobody knows whether it is running. */
  readonly local: boolean;
  /** Its only model. */
  readonly onlyModel?: string;
  /** What the configuration says about it. */
  readonly config: ProviderConfig;
}

/** Any server named by `model.base_url` that no provider has. */
const CUSTOM = 'custom';

const provider = (id: string, baseUrl: string, rest: Partial<ProviderProfile>): ProviderProfile => ({
  id,
  baseUrl,
  apiMode: 'chat_completions',
  aggregator: false,
  local: false,
  config: {},
  ...rest,
});

/** In the order in which they are tried when nothing is chosen. */
export const BUILT_IN_PROVIDERS: readonly ProviderProfile[] = [
  provider('openrouter', 'https://openrouter.ai/api/v1', { keyEnv: 'OPENROUTER_API_KEY', aggregator: true }),
  provider('openai', 'https://api.openai.com/v1', { keyEnv: 'OPENAI_API_KEY' }),
  provider('ollama', 'http://127.0.0.1:11434/v1', { aggregator: true, local: true }),
  provider('lmstudio', 'http://127.0.0.1:1234/v1', { aggregator: true, local: true }),
  provider('demo', 'demo:', { apiMode: 'demo', local: true, onlyModel: 'scripted' }),
];

/**
 * All providers of a configuration, its own first. An entry that is switched off, or that names no server, is left out.
 */
export function knownProviders(config: RouteConfig): readonly ProviderProfile[] {
  const { model = {}, providers = {} } = config;
  const own = Object.entries(providers).flatMap(([id, entry]) => profileOf(id, entry) ?? []);
  const untouched = BUILT_IN_PROVIDERS.filter(({ id }) => providers[id] === undefined);
  const all = [...own, ...untouched];
  const baseUrl = given(model.baseUrl);
  if (baseUrl === undefined) return all;
  const target = configuredProvider(config, all);
  if (target === CUSTOM) return [provider(CUSTOM, baseUrl, {}), ...all];
  return all.map((profile) => (profile.id === target ? movedTo(profile, baseUrl) : profile));
}

/** Id of the provider that the configuration chooses, or `undefined` when it leaves that open. */
export function configuredProvider({ model = {} }: RouteConfig, known: readonly ProviderProfile[]): string | undefined {
  const id = given(model.provider);
  const baseUrl = given(model.baseUrl);
  if (id !== undefined || baseUrl === undefined) return id;
  return known.find((profile) => sameOrigin(profile.baseUrl, baseUrl))?.id ?? CUSTOM;
}

/** The text of a setting; `auto` and blank say nothing. */
export function given(setting: string | undefined): string | undefined {
  const text = setting?.trim();
  return text === '' || text === 'auto' ? undefined : text;
}

function profileOf(id: string, config: ProviderConfig): ProviderProfile | undefined {
  if (config.enabled === false) return undefined;
  const base = BUILT_IN_PROVIDERS.find((profile) => profile.id === id);
  const baseUrl = given(config.baseUrl);
  const keyEnv = given(config.keyEnv);
  if (base === undefined)
    return baseUrl === undefined ? undefined : provider(id, baseUrl, { ...keyed(keyEnv), config });
  const profile = { ...base, config };
  return { ...(baseUrl === undefined ? profile : movedTo(profile, baseUrl)), ...keyed(keyEnv) };
}

/** A key belongs to the origin of its provider: at another address it is left behind. Source: turn engine spec 12. */
function movedTo({ keyEnv, ...profile }: ProviderProfile, baseUrl: string): ProviderProfile {
  return { ...profile, baseUrl, ...(sameOrigin(profile.baseUrl, baseUrl) ? keyed(keyEnv) : {}) };
}

function keyed(keyEnv: string | undefined): { readonly keyEnv?: string } {
  return keyEnv === undefined ? {} : { keyEnv };
}

function sameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
