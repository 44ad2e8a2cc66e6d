import type { CallUsage } from '@hermes/session-db';
import type { TurnState } from '../turn/turn-state.ts';

/** The spend that waits to be written beside the next row, once. */
export function takeUnrecorded(state: TurnState): { readonly call?: CallUsage } {
  const { unrecorded, client } = state;
  if (!unrecorded) return {};
  state.unrecorded = undefined;
  const { provider, model, baseUrl } = client.route;
  return { call: { ...unrecorded, provider, model, baseUrl } };
}
