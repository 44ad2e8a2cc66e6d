import { ExitCode, HermesError, nearest } from '@hermes/runtime';
import type { SessionStore, SessionSummary } from '@hermes/session-db';

/** How many sessions an ambiguous prefix names in its error. */
const SHOWN_MATCHES = 5;

export interface ResolveOptions {
  /** `latest` means the newest session of this directory; without it, of all. */
  readonly cwd?: string;
  /** Whether `latest` may be a one-shot run: the `-c` flag continues those too. */
  readonly includeHidden?: boolean;
}

/**
 * Finds a session by exact id, unique id prefix, title, or `latest`. Throws a usage error that says what there is instead.
 *
 * @example
 * const session = await resolveSession(store, 'latest', { cwd: process.cwd() });
 */
export async function resolveSession(
  store: SessionStore,
  ref: string,
  options: ResolveOptions = {},
): Promise<SessionSummary> {
  if (ref === 'latest') return latestSession(store, options);
  const byPrefix = await store.sessionsByPrefix(ref, SHOWN_MATCHES + 1);
  const exact = byPrefix.find((session) => session.id === ref);
  if (exact) return exact;
  const [only, ...others] = byPrefix;
  if (only && others.length === 0) return only;
  const titled = await store.sessionByTitle(ref);
  if (titled) return titled;
  if (only) {
    throw new HermesError('session_ambiguous', `${JSON.stringify(ref)} is the beginning of several session ids.`, {
      exitCode: ExitCode.usage,
      hints: byPrefix.slice(0, SHOWN_MATCHES).map((session) => `${session.id}  ${session.title ?? session.preview}`),
    });
  }
  throw await notFound(store, ref);
}

async function latestSession(store: SessionStore, options: ResolveOptions): Promise<SessionSummary> {
  const includeHidden = options.includeHidden ?? false;
  const here = options.cwd === undefined ? [] : await store.listSessions({ limit: 1, cwd: options.cwd, includeHidden });
  const [session] = here.length > 0 ? here : await store.listSessions({ limit: 1, includeHidden });
  if (session) return session;
  throw new HermesError('session_not_found', 'There is no session to continue yet.', {
    exitCode: ExitCode.usage,
    hints: ['Start one by running hermes without -c.'],
  });
}

async function notFound(store: SessionStore, ref: string): Promise<HermesError> {
  const known = await store.listSessions({ limit: 100, includeHidden: true });
  const names = known.flatMap((session) => [session.id, ...(session.title === undefined ? [] : [session.title])]);
  const near = nearest(ref, names, 3);
  return new HermesError('session_not_found', `There is no session ${JSON.stringify(ref)}.`, {
    exitCode: ExitCode.usage,
    hints: near.length > 0 ? [`Did you mean: ${near.join(', ')}?`] : ['hermes sessions list shows those that exist.'],
  });
}
