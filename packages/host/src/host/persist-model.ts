import type { Route } from '@hermes/providers';
import { configSet } from '@hermes/runtime/config';
import type { Host } from './host.ts';

/** Servers that are known without being configured. */
const KNOWN_LOCAL = new Set(['ollama', 'lmstudio']);

/**
 * Makes a route the default of the profile. A server that no setting knows yet gets an entry under `providers`. The demo model is
 * never made a default. Returns what to tell the user.
 */
export async function persistModel(host: Host, route: Route): Promise<string> {
  if (route.apiMode === 'demo') return 'Using the demo model until Hermes is closed; it cannot be the default.';
  const { home } = host.scope;
  if (
    host.config.providers[route.provider] === undefined &&
    isLocal(route.baseUrl) &&
    !KNOWN_LOCAL.has(route.provider)
  ) {
    await configSet({ home, name: `providers.${route.provider}.base_url`, value: route.baseUrl });
  }
  await configSet({ home, name: 'model.provider', value: route.provider });
  await configSet({ home, name: 'model.default', value: route.model });
  return `${route.provider}/${route.model} is now the default model.`;
}

function isLocal(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]';
}
