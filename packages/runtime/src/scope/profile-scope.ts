import { AsyncLocalStorage } from 'node:async_hooks';
import type { SecretScope } from '../environment/secret-scope.ts';
import type { HomeScope } from '../home/home-scope.ts';

/** The profile that a piece of work belongs to: its files and its credentials. */
export interface ProfileScope {
  readonly home: HomeScope;
  readonly secrets: SecretScope;
}

/** Thrown when work that needs a profile runs outside of one: a mistake in the program, never the user's. */
export class UnscopedError extends Error {
  override readonly name = 'UnscopedError';

  constructor() {
    super('This work needs a profile, and it runs outside of runInScope().');
  }
}

const storage = new AsyncLocalStorage<ProfileScope>();

/**
 * Runs `work` for one profile. Everything it starts, timers and promises included, sees that profile and no other,
 * so that several profiles can share a process (tools spec 16).
 *
 * @example
 * await runInScope({ home, secrets }, () => runTurn(input));
 */
export function runInScope<T>(scope: ProfileScope, work: () => T): T {
  return storage.run(scope, work);
}

/** The profile this work belongs to; throws `UnscopedError` when there is none. */
export function currentScope(): ProfileScope {
  const scope = storage.getStore();
  if (scope === undefined) throw new UnscopedError();
  return scope;
}
