import { type CallLimits, isLocalUrl } from '../http/call-limits.ts';
import { familyWindow } from './context-windows.ts';
import { configuredProvider, given, knownProviders, type ProviderProfile } from './known-providers.ts';
import type { ProviderConfig, RouteConfig } from './provider-config.ts';
import { type ConfiguredApiMode, type ConfiguredRoute, DEFAULT_CONTEXT_WINDOW, type Route } from './route.ts';
import {
  badBaseUrl,
  missingKey,
  noModel,
  noProvider,
  switchedOff,
  unknownApiMode,
  unknownProvider,
} from './route-errors.ts';

/** What was asked for in this call; it wins over the configuration. */
export interface RouteInput {
  readonly provider?: string;
  /** A model, or a provider and its model as `provider/model`. */
  readonly model?: string;
}

/** Finds a secret by name. */
export type SecretLookup = (name: string) => string | undefined;

/** A provider and what to ask it for; the model may still be missing. */
interface Choice {
  readonly profile: ProviderProfile;
  readonly model: string;
}

/**
 * Decides where model calls go. The provider is the one asked for, else the configured one, else the first whose key is at
 * hand. Local servers and the demo model are never chosen unasked. Source: turn engine spec 12, "Mode resolution".
 *
 * @throws HermesError `no_provider`, `unknown_provider`, `missing_key`, `no_model`, `bad_base_url`, `unknown_api_mode`
 * @example
 * const route = resolveRoute({ model: 'ollama/qwen3' }, config, (name) => secrets.get(name));
 */
export function resolveRoute(input: RouteInput, config: RouteConfig, secrets: SecretLookup): ConfiguredRoute {
  const known = knownProviders(config);
  const configured = configuredProvider(config, known);
  const { profile, model } = choose(input, config, known, secrets);
  if (model === '') throw noModel(profile.id);
  const window = knownWindow(profile, model, input, config);
  return {
    provider: profile.id,
    model,
    apiMode: apiModeOf(profile, profile.id === configured ? config.model?.apiMode : undefined),
    baseUrl: normalized(profile),
    ...keyOf(profile, secrets),
    contextWindow: window ?? DEFAULT_CONTEXT_WINDOW,
    contextWindowAssumed: window === undefined,
    ...limitsOf(profile.config),
  };
}

function choose(
  input: RouteInput,
  config: RouteConfig,
  known: readonly ProviderProfile[],
  secrets: SecretLookup,
): Choice {
  const asked = given(input.provider);
  const configured = configuredProvider(config, known);
  const text = given(input.model) ?? given(config.model?.default) ?? '';
  if (asked !== undefined) {
    // The default model belongs to the provider it was configured with.
    const isTheirs = given(input.model) !== undefined || configured === undefined || configured === asked;
    return chosen(named(asked, known, config), isTheirs ? text : '');
  }
  if (configured !== undefined) {
    const profile = named(configured, known, config);
    return chosen(ownsName(profile, text) ? profile : (prefixOf(text, known) ?? profile), text);
  }
  return byName(text, known, secrets) ?? byKey(text, known, secrets);
}

function chosen(profile: ProviderProfile, text: string): Choice {
  if (profile.onlyModel !== undefined) return { profile, model: profile.onlyModel };
  const prefix = `${profile.id}/`;
  const rest = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  // `openrouter/auto` is the name of a model, `openrouter/maker/model` is a model of openrouter.
  return { profile, model: profile.aggregator && !profile.local && !rest.includes('/') ? text : rest };
}

function named(id: string, known: readonly ProviderProfile[], config: RouteConfig): ProviderProfile {
  const profile = known.find((candidate) => candidate.id === id);
  if (profile !== undefined) return profile;
  const entry = config.providers?.[id];
  if (entry?.enabled === false) throw switchedOff(id);
  if (entry !== undefined || id === 'custom') throw badBaseUrl(id, entry?.baseUrl ?? '');
  throw unknownProvider(
    id,
    known.map((candidate) => candidate.id),
  );
}

/** Whether a name with a slash is one of the provider's own models and not `provider/model`. */
function ownsName(profile: ProviderProfile, text: string): boolean {
  return profile.aggregator || profile.config.models?.[text] !== undefined;
}

function prefixOf(text: string, known: readonly ProviderProfile[]): ProviderProfile | undefined {
  const slash = text.indexOf('/');
  return slash < 0 ? undefined : known.find(({ id }) => id === text.slice(0, slash));
}

/** The provider that a name begins with, unless only an aggregator can serve it. */
function byName(text: string, known: readonly ProviderProfile[], secrets: SecretLookup): Choice | undefined {
  const profile = prefixOf(text, known);
  if (profile === undefined) return undefined;
  const aggregator = isUsable(profile, secrets) ? undefined : usable(known, secrets).find((one) => one.aggregator);
  return aggregator === undefined ? chosen(profile, text) : { profile: aggregator, model: text };
}

function byKey(text: string, known: readonly ProviderProfile[], secrets: SecretLookup): Choice {
  const candidates = usable(known, secrets);
  const profile = (text.includes('/') ? candidates.find((one) => one.aggregator) : undefined) ?? candidates[0];
  if (profile === undefined) throw noProvider();
  return chosen(profile, text);
}

function usable(known: readonly ProviderProfile[], secrets: SecretLookup): ProviderProfile[] {
  return known.filter((profile) => !profile.local && isUsable(profile, secrets));
}

function isUsable({ keyEnv }: ProviderProfile, secrets: SecretLookup): boolean {
  return keyEnv === undefined || given(secrets(keyEnv)) !== undefined;
}

function keyOf({ id, keyEnv }: ProviderProfile, secrets: SecretLookup): Pick<Route, 'apiKey' | 'keyEnv'> {
  if (keyEnv === undefined) return {};
  const apiKey = secrets(keyEnv)?.trim();
  if (apiKey === undefined || apiKey === '') throw missingKey(id, keyEnv);
  return { apiKey, keyEnv };
}

function normalized({ id, baseUrl, apiMode }: ProviderProfile): string {
  if (apiMode === 'demo') return baseUrl;
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) throw badBaseUrl(id, baseUrl);
  return baseUrl.replace(/\/+$/, '').replace(/\/chat\/completions$/, '');
}

function apiModeOf(profile: ProviderProfile, fromModel: string | undefined): ConfiguredApiMode {
  const wanted = given(fromModel) ?? given(profile.config.apiMode) ?? profile.apiMode;
  if (profile.apiMode === 'demo') return 'demo';
  if (wanted !== 'chat_completions') throw unknownApiMode(profile.id, wanted);
  return wanted;
}

/** First hit wins. Source: turn engine spec 18, "Context window". */
function knownWindow(
  profile: ProviderProfile,
  model: string,
  input: RouteInput,
  config: RouteConfig,
): number | undefined {
  if (profile.apiMode === 'demo') return DEFAULT_CONTEXT_WINDOW;
  const asked = given(input.model);
  const isDefault = given(input.provider) === undefined && (asked === undefined || asked === config.model?.default);
  const configured = isDefault ? config.model?.contextLength : undefined;
  // What a model was trained for says nothing about the window a local server was started with.
  const family = isLocalUrl(profile.baseUrl) ? undefined : familyWindow(model);
  return configured ?? profile.config.models?.[model]?.contextLength ?? family;
}

function limitsOf({ requestTimeoutSeconds, staleTimeoutSeconds }: ProviderConfig): {
  readonly limits?: Partial<CallLimits>;
} {
  const limits: Partial<CallLimits> = {
    ...(isLimit(requestTimeoutSeconds) ? { wholeMs: requestTimeoutSeconds * 1_000 } : {}),
    ...(isLimit(staleTimeoutSeconds) ? { silenceMs: staleTimeoutSeconds * 1_000 } : {}),
  };
  return Object.keys(limits).length === 0 ? {} : { limits };
}

function isLimit(seconds: number | undefined): seconds is number {
  return seconds !== undefined && seconds > 0;
}
