import { type Clock, ulid } from '@hermes/runtime';
import type { Admission, AdmissionOutcome } from '../store/admission.ts';
import { type Lease, LEASE_TTL_MS } from '../store/lease.ts';
import type { NewRow, StoredRow } from '../store/row.ts';
import { newSessionId } from '../store/session-id.ts';
import type { FrozenPrompt, SessionRecord, SessionSummary } from '../store/session.ts';
import type { CallUsage, SessionStore } from '../store/session-store.ts';
import { StoreError } from '../store/store-error.ts';
import { previewOf, storableText } from '../store/text.ts';

interface Held {
  holder: string;
  fence: number;
  expiresAt: number;
}

interface OpenTurn {
  readonly sessionId: string;
  readonly admissionId: string;
}

interface Row extends StoredRow {
  readonly admissionId?: string;
}

/** The facts of one process, kept in plain collections. */
interface Facts {
  readonly sessions: Map<string, SessionRecord>;
  readonly prompts: Map<string, FrozenPrompt>;
  readonly leases: Map<string, Held>;
  readonly admissions: Map<string, Admission>;
  readonly turns: Map<string, OpenTurn>;
  readonly rows: Map<string, Row[]>;
}

/**
 * A store that lives and dies with the process: for embedding without a database, and for tests. It keeps every rule of the
 * interface but durability, so there is never anything to recover.
 *
 * @example
 * const store = createMemoryStore({ clock: systemClock });
 */
export function createMemoryStore({ clock }: { readonly clock: Clock }): SessionStore {
  const facts: Facts = {
    sessions: new Map(),
    prompts: new Map(),
    leases: new Map(),
    admissions: new Map(),
    turns: new Map(),
    rows: new Map(),
  };
  let lastRowId = 0;

  const requireSession = (id: string): SessionRecord => {
    const session = facts.sessions.get(id);
    if (!session) throw new StoreError('not_found', `There is no session ${id}.`);
    return session;
  };
  const requireAdmission = (id: string): Admission => {
    const admission = facts.admissions.get(id);
    if (!admission) throw new StoreError('not_found', `There is no admission ${id}.`);
    return admission;
  };
  const requireTurn = (turnId: string): OpenTurn => {
    const turn = facts.turns.get(turnId);
    if (!turn) throw new StoreError('invalid_params', `Turn ${turnId} is not open.`);
    return turn;
  };
  const checkLease = (lease: Lease): Held => {
    const held = facts.leases.get(lease.conversationId);
    if (!held || held.holder !== lease.holder || held.fence !== lease.fence) {
      throw new StoreError(
        'lease_lost',
        'Another owner has taken over this conversation. Nothing more was written here.',
      );
    }
    if (held.expiresAt <= clock.now()) held.expiresAt = clock.now() + LEASE_TTL_MS;
    return held;
  };
  const insert = (sessionId: string, turnId: string, rows: readonly NewRow[], admissionId?: string): StoredRow[] => {
    const session = requireSession(sessionId);
    const now = clock.now();
    const stored = rows.map((row): Row => {
      const content = storableText(row.content);
      return {
        ...row,
        content,
        id: ++lastRowId,
        sessionId,
        turnId,
        createdAt: now,
        ...(admissionId ? { admissionId } : {}),
      };
    });
    const kept = facts.rows.get(sessionId);
    if (kept) kept.push(...stored);
    else facts.rows.set(sessionId, stored);
    facts.sessions.set(sessionId, {
      ...session,
      lastActivityAt: now,
      messageCount: session.messageCount + rows.length,
      toolCallCount: session.toolCallCount + rows.reduce((sum, row) => sum + (row.toolCalls?.length ?? 0), 0),
    });
    return [...stored];
  };
  const addUsage = (sessionId: string, call: CallUsage): void => {
    const session = requireSession(sessionId);
    const { usage } = session;
    facts.sessions.set(sessionId, {
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
  };
  const settle = (id: string, from: Admission['status'], outcome: AdmissionOutcome): boolean => {
    const admission = requireAdmission(id);
    if (admission.status !== from) return false;
    facts.admissions.set(id, { ...admission, status: 'terminal', outcome });
    return true;
  };
  const summary = (session: SessionRecord): SessionSummary => {
    const first = facts.rows.get(session.id)?.find((row) => row.role === 'user');
    return { ...session, preview: previewOf(first?.content ?? '') };
  };
  const newestFirst = () =>
    [...facts.sessions.values()].toSorted((a, b) => b.lastActivityAt - a.lastActivityAt || b.id.localeCompare(a.id));
  const rowsOf = (sessionId: string) => facts.rows.get(sessionId) ?? [];

  return {
    createSession: async (session) => {
      const now = clock.now();
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
      facts.sessions.set(record.id, record);
      return record;
    },
    session: async (id) => facts.sessions.get(id),
    listSessions: async (filter) =>
      newestFirst()
        .filter((session) =>
          filter.source === undefined
            ? filter.includeHidden || session.source !== 'oneshot'
            : session.source === filter.source,
        )
        .filter((session) => filter.cwd === undefined || session.cwd === filter.cwd)
        .slice(0, filter.limit)
        .map(summary),
    sessionsByPrefix: async (prefix, limit) =>
      [...facts.sessions.values()]
        .filter((session) => session.id.startsWith(prefix))
        .toSorted((a, b) => b.id.localeCompare(a.id))
        .slice(0, limit)
        .map(summary),
    sessionByTitle: async (title) => {
      const found = newestFirst().find((session) => session.title === title || session.title?.startsWith(`${title} #`));
      return found && summary(found);
    },
    proposeTitle: async (id, title) => {
      const session = requireSession(id);
      if (session.title !== undefined) return session.title;
      const taken = new Set([...facts.sessions.values()].map((other) => other.title));
      let free = title;
      for (let n = 2; taken.has(free); n++) free = `${title} #${n}`;
      facts.sessions.set(id, { ...session, title: free });
      return free;
    },
    bindPrompt: async (lease, sessionId, prompt, tools) => {
      checkLease(lease);
      if (!facts.prompts.has(prompt.hash)) facts.prompts.set(prompt.hash, prompt);
      facts.sessions.set(sessionId, { ...requireSession(sessionId), promptHash: prompt.hash, toolPin: tools });
    },
    prompt: async (hash) => facts.prompts.get(hash),
    acquireLease: async ({ conversationId, holder }) => {
      const held = facts.leases.get(conversationId);
      const now = clock.now();
      if (held && held.expiresAt > now) return { acquired: false, heldBy: held.holder, expiresAt: held.expiresAt };
      const fence = (held?.fence ?? 0) + 1;
      facts.leases.set(conversationId, { holder, fence, expiresAt: now + LEASE_TTL_MS });
      return { acquired: true, lease: { conversationId, holder, fence } };
    },
    refreshLease: async (lease) => {
      const held = facts.leases.get(lease.conversationId);
      if (!held || held.holder !== lease.holder || held.fence !== lease.fence) return false;
      held.expiresAt = clock.now() + LEASE_TTL_MS;
      return true;
    },
    releaseLease: async (lease) => {
      const held = facts.leases.get(lease.conversationId);
      if (held && held.holder === lease.holder && held.fence === lease.fence) held.expiresAt = 0;
    },
    admit: async (admission) => {
      requireSession(admission.sessionId);
      const text = storableText(admission.text);
      const earlier = [...facts.admissions.values()].find(
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
      const now = clock.now();
      const accepted: Admission = {
        ...admission,
        text,
        id: ulid(now),
        seq: facts.admissions.size + 1,
        status: 'queued',
        attempt: 0,
        createdAt: now,
      };
      facts.admissions.set(accepted.id, accepted);
      return accepted;
    },
    admission: async (id) => facts.admissions.get(id),
    openAdmissions: async (sessionId) =>
      [...facts.admissions.values()].filter(
        (admission) => admission.sessionId === sessionId && admission.status !== 'terminal',
      ),
    cancelAdmission: async (id) => settle(id, 'queued', 'cancelled'),
    beginTurn: async (lease, turn) => {
      checkLease(lease);
      const admission = requireAdmission(turn.admissionId);
      if (admission.status !== 'queued') {
        throw new StoreError('invalid_params', `Admission ${admission.id} is ${admission.status}, not queued.`);
      }
      facts.admissions.set(admission.id, { ...admission, status: 'started' });
      facts.turns.set(turn.turnId, { sessionId: admission.sessionId, admissionId: admission.id });
      return first(insert(admission.sessionId, turn.turnId, [turn.userRow], admission.id));
    },
    append: async (lease, turnId, rows) => {
      checkLease(lease);
      return insert(requireTurn(turnId).sessionId, turnId, rows);
    },
    appendSteer: async (lease, turnId, admissionId, row) => {
      checkLease(lease);
      const { sessionId } = requireTurn(turnId);
      if (!settle(admissionId, 'queued', 'steered')) {
        throw new StoreError('invalid_params', `Admission ${admissionId} cannot end as steered any more.`);
      }
      return first(insert(sessionId, turnId, [row], admissionId));
    },
    recordUsage: async (lease, turnId, call) => {
      checkLease(lease);
      addUsage(requireTurn(turnId).sessionId, call);
    },
    beginToolRound: async (lease, turnId, round) => {
      checkLease(lease);
      const { sessionId } = requireTurn(turnId);
      if (round.call) addUsage(sessionId, round.call);
      return first(insert(sessionId, turnId, [round.row]));
    },
    finishToolRuns: async (lease, turnId, ends) => {
      checkLease(lease);
      return insert(
        requireTurn(turnId).sessionId,
        turnId,
        ends.map((end) => ({ ...end.row, effect: end.effect })),
      );
    },
    endTurn: async (lease, turnId, end) => {
      checkLease(lease);
      const { sessionId, admissionId } = requireTurn(turnId);
      if (!settle(admissionId, 'started', end.admissionOutcome)) {
        throw new StoreError(
          'invalid_params',
          `Admission ${admissionId} cannot end as ${end.admissionOutcome} any more.`,
        );
      }
      const rows = insert(sessionId, turnId, end.rows);
      if (end.call) addUsage(sessionId, end.call);
      facts.turns.delete(turnId);
      return rows;
    },
    activeRows: async (sessionId) => rowsOf(sessionId).filter((row) => row.displayKind !== 'interrupted_partial'),
    visibleRows: async (sessionId, page) =>
      rowsOf(sessionId)
        .filter((row) => row.displayKind !== 'hidden' && row.id < (page.beforeId ?? Number.MAX_SAFE_INTEGER))
        .slice(-page.limit),
    recover: async (lease) => {
      checkLease(lease);
      return { completed: [], requeued: [], interrupted: [], unknownCalls: [] };
    },
    close: async () => undefined,
  };
}

function first<T>(values: readonly T[]): T {
  const [value] = values;
  if (value === undefined) throw new StoreError('invalid_params', 'A row is needed.');
  return value;
}
