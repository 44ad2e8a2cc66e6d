import type { Lease } from '../store/lease.ts';
import { type RecoveryReport, RecoveryText, type ToolEffectClass, type ToolRunEnd } from '../store/turn.ts';
import type { Turns, TurnParts } from './turns.ts';

interface OpenTurn {
  turn_id: string;
  session_id: string;
  admission_id: string;
}

interface OpenRun {
  tool_call_id: string;
  name: string;
  effect: ToolEffectClass;
  status: 'planned' | 'dispatched';
}

interface Findings {
  completed: string[];
  requeued: string[];
  interrupted: string[];
  unknownCalls: { callId: string; name: string }[];
}

/**
 * Decides by evidence what a dead owner left behind (session-db spec 22.1). Who holds the lease and did not open the turn knows
 * that its owner is gone: two owners cannot hold one lease.
 */
export class Recovery {
  readonly #parts: TurnParts;
  readonly #turns: Turns;

  constructor(parts: TurnParts, turns: Turns) {
    this.#parts = parts;
    this.#turns = turns;
  }

  run(lease: Lease): Promise<RecoveryReport> {
    return this.#parts.connection.write(() => {
      this.#parts.leases.check(lease);
      const findings: Findings = { completed: [], requeued: [], interrupted: [], unknownCalls: [] };
      const open = this.#parts.sql.all<OpenTurn>(
        `SELECT turn_id, session_id, admission_id FROM turns WHERE session_id = ? AND phase <> 'ended' ORDER BY started_at`,
        lease.conversationId,
      );
      for (const turn of open) this.#decide(turn, findings);
      return findings;
    });
  }

  #decide(turn: OpenTurn, findings: Findings): void {
    if (this.#parts.transcript.answerOf(turn.turn_id, turn.session_id)) {
      this.#turns.close(turn.turn_id, 'recovered(answered)', 'completed');
      findings.completed.push(turn.turn_id);
      return;
    }
    if (this.#hasRuns(turn.turn_id)) {
      this.#closeOpenRuns(turn, findings);
      this.#interrupt(turn, findings);
    } else if (this.#attempt(turn.admission_id) < 1) {
      this.#requeue(turn);
      findings.requeued.push(turn.admission_id);
    } else {
      this.#interrupt(turn, findings);
    }
  }

  #closeOpenRuns(turn: OpenTurn, findings: Findings): void {
    const runs = this.#parts.sql.all<OpenRun>(
      `SELECT tool_call_id, name, effect, status FROM tool_runs WHERE turn_id = ? AND status IN ('planned', 'dispatched') ORDER BY position`,
      turn.turn_id,
    );
    const ends = runs.map(endOf);
    this.#turns.insertToolRunEnds(turn.turn_id, turn.session_id, ends);
    for (const end of ends) {
      if (end.status === 'unknown') findings.unknownCalls.push({ callId: end.callId, name: end.row.toolName ?? '' });
    }
  }

  #interrupt(turn: OpenTurn, findings: Findings): void {
    this.#parts.transcript.insert(turn.session_id, turn.turn_id, [
      { role: 'assistant', content: RecoveryText.interrupted, displayKind: 'failed_turn' },
    ]);
    this.#turns.close(turn.turn_id, 'interrupted_by_system(crash)', 'interrupted');
    findings.interrupted.push(turn.turn_id);
  }

  /** Nothing had begun: the input runs again, once, on its own user row. */
  #requeue(turn: OpenTurn): void {
    const { sql, clock } = this.#parts;
    sql.run(
      `UPDATE session_admissions SET status = 'queued', attempt = attempt + 1, consumed_turn_id = NULL, updated_at = ?
       WHERE admission_id = ? AND status = 'started'`,
      clock.now(),
      turn.admission_id,
    );
    sql.run(
      `UPDATE turns SET phase = 'ended', end_reason = 'recovered(requeued)', ended_at = ? WHERE turn_id = ?`,
      clock.now(),
      turn.turn_id,
    );
  }

  #hasRuns(turnId: string): boolean {
    return this.#parts.sql.get('SELECT 1 AS one FROM tool_runs WHERE turn_id = ? LIMIT 1', turnId) !== undefined;
  }

  #attempt(admissionId: string): number {
    const row = this.#parts.sql.get<{ attempt: number }>(
      'SELECT attempt FROM session_admissions WHERE admission_id = ?',
      admissionId,
    );
    return row?.attempt ?? 0;
  }
}

function endOf(run: OpenRun): ToolRunEnd {
  const row = (content: string) => ({
    role: 'tool' as const,
    toolCallId: run.tool_call_id,
    toolName: run.name,
    content,
  });
  if (run.status === 'planned') {
    return { callId: run.tool_call_id, status: 'skipped', effect: 'none', row: row(RecoveryText.notExecuted) };
  }
  if (run.effect === 'none') {
    return { callId: run.tool_call_id, status: 'skipped', effect: 'none', row: row(RecoveryText.noEffect) };
  }
  return { callId: run.tool_call_id, status: 'unknown', effect: 'unknown', row: row(RecoveryText.unknown) };
}
