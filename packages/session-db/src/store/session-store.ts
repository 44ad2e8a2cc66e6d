import type { Usage } from '@hermes/providers';
import type { Admission, NewAdmission } from './admission.ts';
import type { Lease, LeaseAttempt, LeaseRequest } from './lease.ts';
import type { NewRow, StoredRow } from './row.ts';
import type { FrozenPrompt, NewSession, SessionFilter, SessionRecord, SessionSummary, ToolPin } from './session.ts';
import type { NewToolRun, RecoveryReport, ToolRunEnd, TurnEnd } from './turn.ts';

/** Spend of provider responses, added to the totals of the session and of its model. */
export interface CallUsage {
  /** Responses that are counted here; usually one. */
  readonly requests: number;
  readonly model: string;
  readonly provider: string;
  readonly baseUrl: string;
  readonly usage: Usage;
}

/**
 * The durable facts of conversations: the authority on what was accepted, who may act, what happened and what is unknown.
 *
 * Contract of every implementation (the conformance suite in `store/conformance.ts` checks it):
 * - a method that resolves has committed; one that rejects has changed nothing;
 * - methods that take a `Lease` check holder and fence inside their own transaction and reject with `lease_lost` when another
 *   holder has taken over, writing nothing;
 * - rows are append-only: content, role and calls of a row never change;
 * - rejections are `StoreError`s with a stable code; a full disk, a lock that did not clear and a damaged file are told apart.
 *
 * @example
 * const store = await openSqliteStore({ path: 'state.db', clock: systemClock });
 * const session = await store.createSession({ source: 'cli', profile: 'default', cwd: process.cwd(), model: 'm', provider: 'p' });
 */
export interface SessionStore {
  createSession(session: NewSession): Promise<SessionRecord>;
  session(id: string): Promise<SessionRecord | undefined>;
  /** Newest activity first; sessions nobody has said anything in are left out. */
  listSessions(filter: SessionFilter): Promise<readonly SessionSummary[]>;
  /** Sessions whose id starts with the given text; at most `limit`. */
  sessionsByPrefix(prefix: string, limit: number): Promise<readonly SessionSummary[]>;
  /** The session of that title, newest of its family ("name", "name #2", …) first. */
  sessionByTitle(title: string): Promise<SessionSummary | undefined>;
  /** Sets a title that nobody chose: does nothing when the session has one. Returns the title in force. */
  proposeTitle(id: string, title: string): Promise<string>;

  /** Stores the prompt under its hash and binds it, with the tool pin, to the session, in one transaction. */
  bindPrompt(lease: Lease, sessionId: string, prompt: FrozenPrompt, tools: ToolPin): Promise<void>;
  prompt(hash: string): Promise<FrozenPrompt | undefined>;

  acquireLease(request: LeaseRequest): Promise<LeaseAttempt>;
  /** False when another holder has taken over. */
  refreshLease(lease: Lease): Promise<boolean>;
  /** Gives the conversation back; does nothing when the lease is already lost. */
  releaseLease(lease: Lease): Promise<void>;

  /** Accepts input durably. The same (principal, session, request id) with the same text answers the first admission again. */
  admit(admission: NewAdmission): Promise<Admission>;
  admission(id: string): Promise<Admission | undefined>;
  /** Admissions of the session that have not ended, in order. */
  openAdmissions(sessionId: string): Promise<readonly Admission[]>;
  cancelAdmission(id: string): Promise<boolean>;
  /**
   * Makes waiting input of processes that are gone the lease holder's own, and answers all that is its own, in order. An owner is
   * gone when it is certainly dead, or has let the input wait for the life of a lease without holding one.
   */
  adoptOrphans(lease: Lease): Promise<readonly Admission[]>;

  /**
   * Claims the admission and opens its turn: admission `started`, turn row, user row, all or nothing. A user row left by an earlier
   * attempt of the same admission is reused. Rejects when the admission is not `queued`.
   */
  beginTurn(lease: Lease, turn: { turnId: string; admissionId: string; userRow: NewRow }): Promise<StoredRow>;
  /** Appends rows of a running turn in order. */
  append(lease: Lease, turnId: string, rows: readonly NewRow[]): Promise<readonly StoredRow[]>;
  /** Appends input that a running turn took up between two requests, and ends its admission as `steered`. */
  appendSteer(lease: Lease, turnId: string, admissionId: string, row: NewRow): Promise<StoredRow>;
  /** Adds the spend of a response that leaves no row of its own. */
  recordUsage(lease: Lease, turnId: string, call: CallUsage): Promise<void>;
  /** Persists the call row before any side effect. Runs named in `dispatched` are about to start. */
  beginToolRound(
    lease: Lease,
    turnId: string,
    round: { row: NewRow; runs: readonly NewToolRun[]; dispatched: readonly string[]; call?: CallUsage },
  ): Promise<StoredRow>;
  /** Persists results, in the given order, together with how each run ended; runs named in `thenDispatched` are about to start. */
  finishToolRuns(
    lease: Lease,
    turnId: string,
    ends: readonly ToolRunEnd[],
    thenDispatched?: readonly string[],
  ): Promise<readonly StoredRow[]>;
  /** Closes the turn: last rows, end reason, admission outcome, spend, all or nothing. */
  endTurn(lease: Lease, turnId: string, end: TurnEnd): Promise<readonly StoredRow[]>;

  /** Rows the model sees, in order (display-only rows left out). */
  activeRows(sessionId: string): Promise<readonly StoredRow[]>;
  /** Newest `limit` rows a person may see before row `beforeId`, in reading order. */
  visibleRows(sessionId: string, page: { beforeId?: number; limit: number }): Promise<readonly StoredRow[]>;
  /** Decides by evidence what a dead owner of this conversation left behind. Call right after acquiring the lease. */
  recover(lease: Lease): Promise<RecoveryReport>;

  close(): Promise<void>;
}
