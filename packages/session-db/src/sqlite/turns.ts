import { type Clock, ulid } from '@hermes/runtime';
import type { Admission, AdmissionOutcome, NewAdmission } from '../store/admission.ts';
import { type Lease, LEASE_TTL_MS } from '../store/lease.ts';
import type { NewRow, StoredRow } from '../store/row.ts';
import type { CallUsage } from '../store/session-store.ts';
import { StoreError } from '../store/store-error.ts';
import { storableText } from '../store/text.ts';
import type { NewToolRun, ToolRunEnd, TurnEnd } from '../store/turn.ts';
import type { Connection } from './connection.ts';
import type { Leases } from './leases.ts';
import { type AdmissionRow, toAdmission } from './row-mapping.ts';
import type { Sessions } from './sessions.ts';
import type { Statements } from './statements.ts';
import type { Transcript } from './transcript.ts';

/** Everything of the store that takes part in a turn. */
export interface TurnParts {
  readonly connection: Connection;
  readonly sql: Statements;
  readonly clock: Clock;
  readonly leases: Leases;
  readonly sessions: Sessions;
  readonly transcript: Transcript;
}

/** Admissions and the turns that consume them: each step is one transaction that proves the lease first. */
export class Turns {
  readonly #parts: TurnParts;

  constructor(parts: TurnParts) {
    this.#parts = parts;
  }

  admit(admission: NewAdmission): Promise<Admission> {
    return this.#parts.connection.write(() => {
      const { sql, clock } = this.#parts;
      const earlier = sql.get<AdmissionRow>(
        'SELECT * FROM session_admissions WHERE principal_id = ? AND target_session_id = ? AND request_id = ?',
        admission.principalId,
        admission.sessionId,
        admission.requestId,
      );
      const text = storableText(admission.text);
      if (earlier) {
        if (earlier.payload === text) return toAdmission(earlier);
        throw new StoreError(
          'admission_conflict',
          `Request ${admission.requestId} was already used for another message.`,
        );
      }
      const now = clock.now();
      const id = ulid(now);
      sql.run(
        `INSERT INTO session_admissions (admission_id, request_id, principal_id, owner, target_session_id, payload, intent, status, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?)`,
        id,
        admission.requestId,
        admission.principalId,
        admission.owner,
        admission.sessionId,
        text,
        admission.intent,
        now,
        now,
      );
      return this.#requireAdmission(id);
    });
  }

  admission(id: string): Admission | undefined {
    return this.#parts.connection.read(() => this.#findAdmission(id));
  }

  openAdmissions(sessionId: string): readonly Admission[] {
    return this.#parts.connection.read(() =>
      this.#parts.sql
        .all<AdmissionRow>(
          `SELECT * FROM session_admissions WHERE target_session_id = ? AND status <> 'terminal' ORDER BY seq`,
          sessionId,
        )
        .map(toAdmission),
    );
  }

  cancelAdmission(id: string): Promise<boolean> {
    return this.#parts.connection.write(() => {
      const { changes } = this.#parts.sql.run(
        `UPDATE session_admissions SET status = 'terminal', outcome = 'cancelled', updated_at = ? WHERE admission_id = ? AND status = 'queued'`,
        this.#parts.clock.now(),
        id,
      );
      return changes === 1;
    });
  }

  adoptOrphans(lease: Lease): Promise<readonly Admission[]> {
    return this.#leased(lease, () => {
      const { sql, clock, leases } = this.#parts;
      const now = clock.now();
      const waiting = sql.all<AdmissionRow>(
        `SELECT * FROM session_admissions WHERE target_session_id = ? AND status = 'queued' ORDER BY seq`,
        lease.conversationId,
      );
      const orphans = waiting.filter(
        ({ owner, created_at: at }) => owner === lease.holder || leases.isDead(owner) || now - at > LEASE_TTL_MS,
      );
      for (const { admission_id: id } of orphans) {
        sql.run(
          'UPDATE session_admissions SET owner = ?, updated_at = ? WHERE admission_id = ?',
          lease.holder,
          now,
          id,
        );
      }
      return orphans.map((row) => ({ ...toAdmission(row), owner: lease.holder }));
    });
  }

  begin(lease: Lease, turn: { turnId: string; admissionId: string; userRow: NewRow }): Promise<StoredRow> {
    return this.#leased(lease, () => {
      const { sql, clock, transcript } = this.#parts;
      const admission = this.#requireAdmission(turn.admissionId);
      const now = clock.now();
      const claimed = sql.run(
        `UPDATE session_admissions SET status = 'started', consumed_turn_id = ?, updated_at = ? WHERE admission_id = ? AND status = 'queued'`,
        turn.turnId,
        now,
        turn.admissionId,
      );
      if (claimed.changes !== 1) {
        throw new StoreError('invalid_params', `Admission ${turn.admissionId} is ${admission.status}, not queued.`);
      }
      sql.run(
        `INSERT INTO turns (turn_id, session_id, admission_id, lease_fence, phase, started_at) VALUES (?, ?, ?, ?, 'calling', ?)`,
        turn.turnId,
        admission.sessionId,
        admission.id,
        lease.fence,
        now,
      );
      const earlier = transcript.userRowOf(admission.sessionId, admission.id);
      if (earlier) return earlier;
      return only(transcript.insert(admission.sessionId, turn.turnId, [turn.userRow], admission.id));
    });
  }

  append(lease: Lease, turnId: string, rows: readonly NewRow[]): Promise<readonly StoredRow[]> {
    return this.#leased(lease, () => this.#parts.transcript.insert(this.#sessionOf(turnId), turnId, rows));
  }

  appendSteer(lease: Lease, turnId: string, admissionId: string, row: NewRow): Promise<StoredRow> {
    return this.#leased(lease, () => {
      this.#settle(admissionId, 'steered', turnId, `status = 'queued'`);
      return only(this.#parts.transcript.insert(this.#sessionOf(turnId), turnId, [row], admissionId));
    });
  }

  recordUsage(lease: Lease, turnId: string, call: CallUsage): Promise<void> {
    return this.#leased(lease, () => this.#parts.sessions.addUsage(this.#sessionOf(turnId), call));
  }

  beginToolRound(
    lease: Lease,
    turnId: string,
    round: { row: NewRow; runs: readonly NewToolRun[]; dispatched: readonly string[]; call?: CallUsage },
  ): Promise<StoredRow> {
    return this.#leased(lease, () => {
      const { sql, clock, sessions, transcript } = this.#parts;
      const sessionId = this.#sessionOf(turnId);
      const row = only(transcript.insert(sessionId, turnId, [round.row]));
      sql.run(`UPDATE turns SET phase = 'tools', api_calls = api_calls + 1 WHERE turn_id = ?`, turnId);
      for (const run of round.runs) {
        const dispatched = round.dispatched.includes(run.callId);
        sql.run(
          `INSERT INTO tool_runs (turn_id, tool_call_id, session_id, name, position, effect, status, started_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          turnId,
          run.callId,
          sessionId,
          run.name,
          run.position,
          run.effectClass,
          dispatched ? 'dispatched' : 'planned',
          dispatched ? clock.now() : null,
        );
      }
      if (round.call) sessions.addUsage(sessionId, round.call);
      return row;
    });
  }

  finishToolRuns(
    lease: Lease,
    turnId: string,
    ends: readonly ToolRunEnd[],
    thenDispatched: readonly string[] = [],
  ): Promise<readonly StoredRow[]> {
    return this.#leased(lease, () => {
      const rows = this.insertToolRunEnds(turnId, this.#sessionOf(turnId), ends);
      for (const callId of thenDispatched) {
        this.#parts.sql.run(
          `UPDATE tool_runs SET status = 'dispatched', started_at = ? WHERE turn_id = ? AND tool_call_id = ? AND status = 'planned'`,
          this.#parts.clock.now(),
          turnId,
          callId,
        );
      }
      return rows;
    });
  }

  /** Inside a write transaction. */
  insertToolRunEnds(turnId: string, sessionId: string, ends: readonly ToolRunEnd[]): readonly StoredRow[] {
    return ends.map((end) => {
      const row = only(this.#parts.transcript.insert(sessionId, turnId, [{ ...end.row, effect: end.effect }]));
      this.#parts.sql.run(
        'UPDATE tool_runs SET status = ?, finished_at = ?, result_row_id = ? WHERE turn_id = ? AND tool_call_id = ?',
        end.status,
        this.#parts.clock.now(),
        row.id,
        turnId,
        end.callId,
      );
      return row;
    });
  }

  end(lease: Lease, turnId: string, end: TurnEnd): Promise<readonly StoredRow[]> {
    return this.#leased(lease, () => {
      const sessionId = this.#sessionOf(turnId);
      const rows = this.#parts.transcript.insert(sessionId, turnId, end.rows);
      if (end.call) this.#parts.sessions.addUsage(sessionId, end.call);
      this.close(turnId, end.endReason, end.admissionOutcome, end.apiCalls);
      return rows;
    });
  }

  /** Inside a write transaction: ends a turn and its admission. */
  close(turnId: string, endReason: string, outcome: AdmissionOutcome, apiCalls?: number): void {
    const { sql, clock } = this.#parts;
    sql.run(
      `UPDATE turns SET phase = 'ended', end_reason = ?, ended_at = ?, api_calls = coalesce(?, api_calls) WHERE turn_id = ? AND phase <> 'ended'`,
      endReason,
      clock.now(),
      apiCalls ?? null,
      turnId,
    );
    const turn = sql.get<{ admission_id: string }>('SELECT admission_id FROM turns WHERE turn_id = ?', turnId);
    if (turn) this.#settle(turn.admission_id, outcome, turnId, `status = 'started'`);
  }

  #settle(admissionId: string, outcome: AdmissionOutcome, turnId: string, from: string): void {
    const { changes } = this.#parts.sql.run(
      `UPDATE session_admissions SET status = 'terminal', outcome = ?, consumed_turn_id = ?, updated_at = ? WHERE admission_id = ? AND ${from}`,
      outcome,
      turnId,
      this.#parts.clock.now(),
      admissionId,
    );
    if (changes !== 1)
      throw new StoreError('invalid_params', `Admission ${admissionId} cannot end as ${outcome} any more.`);
  }

  #leased<T>(lease: Lease, work: () => T): Promise<T> {
    return this.#parts.connection.write(() => {
      this.#parts.leases.check(lease);
      return work();
    });
  }

  #sessionOf(turnId: string): string {
    const turn = this.#parts.sql.get<{ session_id: string; phase: string }>(
      'SELECT session_id, phase FROM turns WHERE turn_id = ?',
      turnId,
    );
    if (!turn) throw new StoreError('not_found', `There is no turn ${turnId}.`);
    if (turn.phase === 'ended')
      throw new StoreError('invalid_params', `Turn ${turnId} has ended: nothing can be added to it.`);
    return turn.session_id;
  }

  #findAdmission(id: string): Admission | undefined {
    const row = this.#parts.sql.get<AdmissionRow>('SELECT * FROM session_admissions WHERE admission_id = ?', id);
    return row && toAdmission(row);
  }

  #requireAdmission(id: string): Admission {
    const admission = this.#findAdmission(id);
    if (!admission) throw new StoreError('not_found', `There is no admission ${id}.`);
    return admission;
  }
}

function only<T>(values: readonly T[]): T {
  const [value] = values;
  if (value === undefined) throw new StoreError('unknown', 'A row that was written cannot be read back.');
  return value;
}
