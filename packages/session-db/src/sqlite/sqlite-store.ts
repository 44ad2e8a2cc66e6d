import type { Clock } from '@hermes/runtime';
import { isProvablyDead } from '../lease/process-holder.ts';
import type { SessionStore } from '../store/session-store.ts';
import { Connection } from './connection.ts';
import { Leases } from './leases.ts';
import { Recovery } from './recovery.ts';
import { Sessions } from './sessions.ts';
import { Statements } from './statements.ts';
import { Transcript } from './transcript.ts';
import { Turns } from './turns.ts';

export interface SqliteStoreOptions {
  /** The database file; created with mode 0600. `:memory:` keeps everything in this process. */
  readonly path: string;
  readonly clock: Clock;
  /** Whether the process behind a lease is certainly gone. Default: asks this machine. */
  readonly isHolderDead?: (holder: string) => boolean;
}

/**
 * Opens the store on SQLite in WAL mode with full synchronisation. Several processes may open one file at once.
 * Rejects with a `StoreError`: `permission_denied`, `disk_full`, `db_corrupt`, `newer_schema`, `persistence_locked`.
 *
 * @example
 * const store = await openSqliteStore({ path: '/tmp/state.db', clock: systemClock });
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SessionStore> {
  const connection = await Connection.open(options.path, options.clock);
  const { clock } = options;
  const sql = new Statements(connection.db);
  const leases = new Leases(connection, sql, clock, options.isHolderDead ?? isProvablyDead);
  const sessions = new Sessions(connection, sql, clock);
  const transcript = new Transcript(connection, sql, clock);
  const parts = { connection, sql, clock, leases, sessions, transcript };
  const turns = new Turns(parts);
  const recovery = new Recovery(parts, turns);

  return {
    createSession: (session) => sessions.create(session),
    session: async (id) => sessions.find(id),
    listSessions: (filter) => sessions.list(filter),
    sessionsByPrefix: (prefix, limit) => sessions.byPrefix(prefix, limit),
    sessionByTitle: (title) => sessions.byTitle(title),
    proposeTitle: (id, title) => sessions.proposeTitle(id, title),
    bindPrompt: (lease, sessionId, prompt, tools) =>
      connection.write(() => {
        leases.check(lease);
        sessions.bindPrompt(sessionId, prompt, tools);
      }),
    prompt: async (hash) => sessions.prompt(hash),
    acquireLease: (request) => leases.acquire(request),
    refreshLease: (lease) => leases.refresh(lease),
    releaseLease: (lease) => leases.release(lease),
    admit: (admission) => turns.admit(admission),
    admission: async (id) => turns.admission(id),
    openAdmissions: async (sessionId) => turns.openAdmissions(sessionId),
    cancelAdmission: (id) => turns.cancelAdmission(id),
    adoptOrphans: (lease) => turns.adoptOrphans(lease),
    beginTurn: (lease, turn) => turns.begin(lease, turn),
    append: (lease, turnId, rows) => turns.append(lease, turnId, rows),
    appendSteer: (lease, turnId, admissionId, row) => turns.appendSteer(lease, turnId, admissionId, row),
    recordUsage: (lease, turnId, call) => turns.recordUsage(lease, turnId, call),
    beginToolRound: (lease, turnId, round) => turns.beginToolRound(lease, turnId, round),
    finishToolRuns: (lease, turnId, ends, thenDispatched) => turns.finishToolRuns(lease, turnId, ends, thenDispatched),
    endTurn: (lease, turnId, end) => turns.end(lease, turnId, end),
    activeRows: async (sessionId) => transcript.active(sessionId),
    visibleRows: async (sessionId, page) => transcript.visible(sessionId, page),
    recover: (lease) => recovery.run(lease),
    close: () => connection.close(),
  };
}
