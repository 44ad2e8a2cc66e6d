import { type Clock, ulid } from '@hermes/runtime';
import type { Admission, AdmissionOutcome, NewAdmission } from '../store/admission.ts';
import { type Lease, LEASE_TTL_MS, type LeaseAttempt, type LeaseRequest } from '../store/lease.ts';
import type { NewRow, StoredRow } from '../store/row.ts';
import type {
  FrozenPrompt,
  NewSession,
  SessionFilter,
  SessionRecord,
  SessionSummary,
  ToolPin,
} from '../store/session.ts';
import { newSessionId } from '../store/session-id.ts';
import type { CallUsage, SessionStore } from '../store/session-store.ts';
import { StoreError } from '../store/store-error.ts';
import { previewOf, storableText } from '../store/text.ts';
import type { NewToolRun, RecoveryReport, ToolRunEnd, TurnEnd } from '../store/turn.ts';

interface Held {
  readonly holder: string;
  readonly fence: number;
  expiresAt: number;
}

interface OpenTurn {
  readonly sessionId: string;
  readonly admissionId: string;
}

/**
 * A store that lives and dies with the process: for embedding without a database, and for tests. It keeps every rule of the
 * interface but durability, so there is never anything to recover.
 *
 * @example
 * const store = createMemoryStore({ clock: systemClock });
 */
export function createMemoryStore({ clock }: { readonly clock: Clock }): SessionStore {
  return new MemoryStore(clock);
}

class MemoryStore implements SessionStore {
  readonly #clock: Clock;
  readonly #sessions = new Map<string, SessionRecord>();
  readonly #prompts = new Map<string, FrozenPrompt>();
  readonly #leases = new Map<string, Held>();
  readonly #admissions = new Map<string, Admission>();
  readonly #turns = new Map<string, OpenTurn>();
  readonly #rows = new Map<string, StoredRow[]>();
  #lastRowId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async createSession(session: NewSession): Promise<SessionRecord> {
    const now = this.#clock.now();
    const record: SessionRecord = {
      ...session,
      id: newSessionId(now),
      startedAt: now,
      lastActivityAt: now,
      messageCount: 0,
      toolCallCount: 0,
      apiCallCount: 0,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    };
    this.#sessions.set(record.id, record);
    return record;
  }

  async session(id: string): Promise<SessionRecord | undefined> {
    return this.#sessions.get(id);
  }

  async listSessions(filter: SessionFilter): Promise<readonly SessionSummary[]> {
    const wanted = (session: SessionRecord) => {
      if (session.messageCount === 0) return false;
      if (filter.cwd !== undefined && session.cwd !== filter.cwd) return false;
      if (filter.source !== undefined) return session.source === filter.source;
      return filter.includeHidden || session.source !== 'oneshot';
    };
    return this.#newestFirst()
      .filter(wanted)
      .slice(0, filter.limit)
      .map((session) => this.#summary(session));
  }

  async sessionsByPrefix(prefix: string, limit: number): Promise<readonly SessionSummary[]> {
    const found = [...this.#sessions.values()].filter((session) => session.id.startsWith(prefix));
    return found
      .toSorted((a, b) => b.id.localeCompare(a.id))
      .slice(0, limit)
      .map((session) => this.#summary(session));
  }

  async sessionByTitle(title: string): Promise<SessionSummary | undefined> {
    const found = this.#newestFirst().find(
      (session) => session.title === title || session.title?.startsWith(`${title} #`),
    );
    return found && this.#summary(found);
  }

  async proposeTitle(id: string, title: string): Promise<string> {
    const session = this.#requireSession(id);
    if (session.title !== undefined) return session.title;
    const taken = new Set([...this.#sessions.values()].map((other) => other.title));
    let free = title;
    for (let n = 2; taken.has(free); n++) free = `${title} #${n}`;
    this.#sessions.set(id, { ...session, title: free });
    return free;
  }

  async bindPrompt(lease: Lease, sessionId: string, prompt: FrozenPrompt, toolPin: ToolPin): Promise<void> {
    this.#check(lease);
    if (!this.#prompts.has(prompt.hash)) this.#prompts.set(prompt.hash, prompt);
    this.#sessions.set(sessionId, { ...this.#requireSession(sessionId), promptHash: prompt.hash, toolPin });
  }

  async prompt(hash: string): Promise<FrozenPrompt | undefined> {
    return this.#prompts.get(hash);
  }

  async acquireLease({ conversationId, holder }: LeaseRequest): Promise<LeaseAttempt> {
    const held = this.#leases.get(conversationId);
    const now = this.#clock.now();
    if (held && held.expiresAt > now) return { acquired: false, heldBy: held.holder, expiresAt: held.expiresAt };
    const fence = (held?.fence ?? 0) + 1;
    this.#leases.set(conversationId, { holder, fence, expiresAt: now + LEASE_TTL_MS });
    return { acquired: true, lease: { conversationId, holder, fence } };
  }

  async refreshLease(lease: Lease): Promise<boolean> {
    const held = this.#held(lease);
    if (held) held.expiresAt = this.#clock.now() + LEASE_TTL_MS;
    return held !== undefined;
  }

  async releaseLease(lease: Lease): Promise<void> {
    const held = this.#held(lease);
    if (held) held.expiresAt = 0;
  }

  async admit(admission: NewAdmission): Promise<Admission> {
    this.#requireSession(admission.sessionId);
    const text = storableText(admission.text);
    const earlier = [...this.#admissions.values()].find(
      (other) =>
        other.principalId === admission.principalId &&
        other.sessionId === admission.sessionId &&
        other.requestId === admission.requestId,
    );
    if (earlier) {
      if (earlier.text === text) return earlier;
      throw new StoreError(
        'admission_conflict',
        `Request ${admission.requestId} was already used for another message.`,
      );
    }
    const now = this.#clock.now();
    const facts = {
      id: ulid(now),
      seq: this.#admissions.size + 1,
      status: 'queued',
      attempt: 0,
      createdAt: now,
    } as const;
    const accepted: Admission = { ...admission, text, ...facts };
    this.#admissions.set(accepted.id, accepted);
    return accepted;
  }

  async admission(id: string): Promise<Admission | undefined> {
    return this.#admissions.get(id);
  }

  async openAdmissions(sessionId: string): Promise<readonly Admission[]> {
    return [...this.#admissions.values()].filter((one) => one.sessionId === sessionId && one.status !== 'terminal');
  }

  async cancelAdmission(id: string): Promise<boolean> {
    if (this.#requireAdmission(id).status !== 'queued') return false;
    this.#settle(id, 'queued', 'cancelled');
    return true;
  }

  async adoptOrphans(lease: Lease): Promise<readonly Admission[]> {
    this.#check(lease);
    return [];
  }

  async beginTurn(lease: Lease, turn: { turnId: string; admissionId: string; userRow: NewRow }): Promise<StoredRow> {
    this.#check(lease);
    const admission = this.#requireAdmission(turn.admissionId);
    if (admission.status !== 'queued') {
      throw new StoreError('invalid_params', `Admission ${admission.id} is ${admission.status}, not queued.`);
    }
    this.#admissions.set(admission.id, { ...admission, status: 'started' });
    this.#turns.set(turn.turnId, { sessionId: admission.sessionId, admissionId: admission.id });
    return this.#insertOne(admission.sessionId, turn.turnId, turn.userRow);
  }

  async append(lease: Lease, turnId: string, rows: readonly NewRow[]): Promise<readonly StoredRow[]> {
    this.#check(lease);
    return this.#insert(this.#requireTurn(turnId).sessionId, turnId, rows);
  }

  async appendSteer(lease: Lease, turnId: string, admissionId: string, row: NewRow): Promise<StoredRow> {
    this.#check(lease);
    const { sessionId } = this.#requireTurn(turnId);
    this.#settle(admissionId, 'queued', 'steered');
    return this.#insertOne(sessionId, turnId, row);
  }

  async recordUsage(lease: Lease, turnId: string, call: CallUsage): Promise<void> {
    this.#check(lease);
    this.#addUsage(this.#requireTurn(turnId).sessionId, call);
  }

  async beginToolRound(
    lease: Lease,
    turnId: string,
    round: { row: NewRow; runs: readonly NewToolRun[]; dispatched: readonly string[]; call?: CallUsage },
  ): Promise<StoredRow> {
    this.#check(lease);
    const { sessionId } = this.#requireTurn(turnId);
    if (round.call) this.#addUsage(sessionId, round.call);
    return this.#insertOne(sessionId, turnId, round.row);
  }

  async finishToolRuns(lease: Lease, turnId: string, ends: readonly ToolRunEnd[]): Promise<readonly StoredRow[]> {
    this.#check(lease);
    const rows = ends.map((end) => ({ ...end.row, effect: end.effect }));
    return this.#insert(this.#requireTurn(turnId).sessionId, turnId, rows);
  }

  async endTurn(lease: Lease, turnId: string, end: TurnEnd): Promise<readonly StoredRow[]> {
    this.#check(lease);
    const { sessionId, admissionId } = this.#requireTurn(turnId);
    this.#settle(admissionId, 'started', end.admissionOutcome);
    if (end.call) this.#addUsage(sessionId, end.call);
    this.#turns.delete(turnId);
    return this.#insert(sessionId, turnId, end.rows);
  }

  async activeRows(sessionId: string): Promise<readonly StoredRow[]> {
    return this.#rowsOf(sessionId).filter((row) => row.displayKind !== 'interrupted_partial');
  }

  async visibleRows(sessionId: string, page: { beforeId?: number; limit: number }): Promise<readonly StoredRow[]> {
    const before = page.beforeId ?? Number.MAX_SAFE_INTEGER;
    return this.#rowsOf(sessionId)
      .filter((row) => row.displayKind !== 'hidden' && row.id < before)
      .slice(-page.limit);
  }

  async recover(lease: Lease): Promise<RecoveryReport> {
    this.#check(lease);
    return { completed: [], requeued: [], interrupted: [], unknownCalls: [] };
  }

  async close(): Promise<void> {
    this.#turns.clear();
  }

  #requireSession(id: string): SessionRecord {
    const session = this.#sessions.get(id);
    if (!session) throw new StoreError('not_found', `There is no session ${id}.`);
    return session;
  }

  #requireAdmission(id: string): Admission {
    const admission = this.#admissions.get(id);
    if (!admission) throw new StoreError('not_found', `There is no admission ${id}.`);
    return admission;
  }

  #requireTurn(turnId: string): OpenTurn {
    const turn = this.#turns.get(turnId);
    if (!turn) throw new StoreError('invalid_params', `Turn ${turnId} is not open: nothing can be added to it.`);
    return turn;
  }

  #held(lease: Lease): Held | undefined {
    const held = this.#leases.get(lease.conversationId);
    return held && held.holder === lease.holder && held.fence === lease.fence ? held : undefined;
  }

  #check(lease: Lease): void {
    const held = this.#held(lease);
    if (!held) {
      throw new StoreError(
        'lease_lost',
        'Another owner has taken over this conversation. Nothing more was written here.',
      );
    }
    if (held.expiresAt <= this.#clock.now()) held.expiresAt = this.#clock.now() + LEASE_TTL_MS;
  }

  #settle(id: string, from: Admission['status'], outcome: AdmissionOutcome): void {
    const admission = this.#requireAdmission(id);
    if (admission.status !== from) {
      throw new StoreError('invalid_params', `Admission ${id} cannot end as ${outcome} any more.`);
    }
    this.#admissions.set(id, { ...admission, status: 'terminal', outcome });
  }

  #insertOne(sessionId: string, turnId: string, row: NewRow): StoredRow {
    const [stored] = this.#insert(sessionId, turnId, [row]);
    if (!stored) throw new StoreError('invalid_params', 'A row is needed.');
    return stored;
  }

  #insert(sessionId: string, turnId: string, rows: readonly NewRow[]): StoredRow[] {
    const session = this.#requireSession(sessionId);
    const createdAt = this.#clock.now();
    const stored = rows.map((row): StoredRow => {
      const content = storableText(row.content);
      return { ...row, content, id: ++this.#lastRowId, sessionId, turnId, createdAt };
    });
    const kept = this.#rows.get(sessionId);
    if (kept) kept.push(...stored);
    else this.#rows.set(sessionId, [...stored]);
    this.#sessions.set(sessionId, {
      ...session,
      lastActivityAt: createdAt,
      messageCount: session.messageCount + rows.length,
      toolCallCount: session.toolCallCount + rows.reduce((sum, row) => sum + (row.toolCalls?.length ?? 0), 0),
    });
    return stored;
  }

  #addUsage(sessionId: string, call: CallUsage): void {
    const session = this.#requireSession(sessionId);
    const { usage } = session;
    this.#sessions.set(sessionId, {
      ...session,
      apiCallCount: session.apiCallCount + call.requests,
      usage: {
        input: usage.input + call.usage.input,
        output: usage.output + call.usage.output,
        cacheRead: usage.cacheRead + call.usage.cacheRead,
        cacheWrite: usage.cacheWrite + call.usage.cacheWrite,
        reasoning: usage.reasoning + call.usage.reasoning,
      },
    });
  }

  #summary(session: SessionRecord): SessionSummary {
    const first = this.#rowsOf(session.id).find((row) => row.role === 'user');
    return { ...session, preview: previewOf(first?.content ?? '') };
  }

  #newestFirst(): SessionRecord[] {
    return [...this.#sessions.values()].toSorted(
      (a, b) => b.lastActivityAt - a.lastActivityAt || b.id.localeCompare(a.id),
    );
  }

  #rowsOf(sessionId: string): readonly StoredRow[] {
    return this.#rows.get(sessionId) ?? [];
  }
}
