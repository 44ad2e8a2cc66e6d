import type { AdmissionOutcome } from './admission.ts';
import type { EffectDisposition, NewRow } from './row.ts';
import type { CallUsage } from './session-store.ts';

export type ToolEffectClass = 'none' | 'local' | 'external' | 'unknown';

/** One call of a round, known before it starts. */
export interface NewToolRun {
  readonly callId: string;
  readonly name: string;
  readonly position: number;
  /** What the tool can change; decides what a crash leaves behind. */
  readonly effectClass: ToolEffectClass;
}

/** How a run ended, with the row that answers its call. */
export interface ToolRunEnd {
  readonly callId: string;
  readonly status: 'finished' | 'skipped' | 'unknown';
  readonly effect: EffectDisposition;
  readonly row: NewRow;
}

export interface TurnEnd {
  /** Machine name, with detail in brackets: `text_response(stop)`. */
  readonly endReason: string;
  readonly admissionOutcome: AdmissionOutcome;
  readonly apiCalls: number;
  /** Last rows of the turn: the answer, or what closes the transcript. */
  readonly rows: readonly NewRow[];
  readonly call?: CallUsage;
}

/** What a dead owner had left, and what was decided by evidence (session-db spec 22.1). */
export interface RecoveryReport {
  /** Turns that had answered but not closed their admission. */
  readonly completed: readonly string[];
  /** Admissions that had not begun anything: queued again. */
  readonly requeued: readonly string[];
  /** Turns that ended in the middle of their tools. */
  readonly interrupted: readonly string[];
  /** Calls whose effect nobody knows. They are never run again by themselves. */
  readonly unknownCalls: readonly { readonly callId: string; readonly name: string }[];
}

/** Texts of the rows that recovery writes; fixed, because they become part of the prefix. */
export const RecoveryText = {
  notExecuted: JSON.stringify({
    error: 'Not executed: the process ended before this call was started.',
    effect: 'none',
  }),
  noEffect: JSON.stringify({
    error: 'The process ended during this call. It changes nothing, so nothing happened.',
    effect: 'none',
  }),
  unknown: JSON.stringify({
    error:
      'The process ended during this call and its effect is unknown. It was not run again: inspect the state first.',
    effect: 'unknown',
  }),
  interrupted: '[This turn was cut off when the process ended. Nothing was run again.]',
} as const;
