import { messageOf } from '@hermes/runtime';
import { type AdmissionOutcome, type NewRow, StoreError } from '@hermes/session-db';
import {
  type EndReason,
  explainEnd,
  formatEndReason,
  isRetryable,
  outcomeOf,
  type TurnOutcome,
} from '../result/end-reason.ts';
import type { TurnResult } from '../result/turn-result.ts';
import type { TurnPorts } from '../turn/ports.ts';
import type { TurnState } from '../turn/turn-state.ts';
import { takeUnrecorded } from './take-unrecorded.ts';

/**
 * Ends the turn, whatever it came to: closes the transcript, writes the end, gives the lease back, and builds the result.
 * Each step is guarded: one that fails is listed in `cleanupErrors` and never loses the text.
 */
export async function finalize(state: TurnState, ports: TurnPorts): Promise<TurnResult> {
  const end = state.end ?? { code: 'internal_error', detail: 'the turn left its loop without a reason' };
  recoverStreamedText(end, state);
  closeTranscript(end, state);
  if (end.code !== 'lease_lost') {
    await guarded(state, 'writing the end of the turn', () => writeEnd(end, state, ports));
    await guarded(state, 'releasing the lease', async () => {
      if (state.lease) await ports.store.releaseLease(state.lease);
    });
  } else {
    ports.memory.forget();
    ports.events.emit({ type: 'lease.lost' });
  }
  if (state.finalText !== '') ports.events.emit({ type: 'text.end', channel: 'answer', text: state.finalText });
  return resultOf(end, state, ports);
}

function recoverStreamedText(end: EndReason, state: TurnState): void {
  if (end.code === 'partial_stream_recovery') {
    state.finalText = state.answerSoFar + state.streamedText;
    state.closingRows.push({ role: 'assistant', content: state.streamedText, finishReason: 'stream_interrupted' });
  } else if (outcomeOf(end) === 'interrupted' && state.streamedText !== '' && state.closingRows.length === 0) {
    state.finalText = state.answerSoFar + state.streamedText;
  }
}

/** A turn that gave no answer still closes its transcript, so that roles alternate and the next request repeats this one whole. */
function closeTranscript(end: EndReason, state: TurnState): void {
  if (state.closingRows.length > 0) return;
  const rows: NewRow[] = [];
  if (outcomeOf(end) === 'interrupted' && state.streamedText !== '') {
    rows.push({ role: 'assistant', content: state.streamedText, displayKind: 'interrupted_partial' });
  }
  const effects = state.toolCallCount > 0 ? ' Tools ran before that; their effects stand.' : '';
  rows.push({ role: 'assistant', content: `[${explainEnd(end)}${effects}]`, displayKind: 'failed_turn' });
  state.closingRows = rows;
}

async function writeEnd(end: EndReason, state: TurnState, ports: TurnPorts): Promise<void> {
  if (!state.opened) {
    await ports.store.cancelAdmission(state.admission.id);
    return;
  }
  try {
    const rows = await ports.store.endTurn(state.heldLease, state.turnId, {
      endReason: formatEndReason(end),
      admissionOutcome: admissionOutcomeOf(outcomeOf(end)),
      apiCalls: state.apiCalls,
      rows: state.closingRows,
      ...takeUnrecorded(state),
    });
    state.wire.append(rows);
    for (const row of rows) {
      const kind = row.displayKind === undefined ? 'final' : 'boundary';
      ports.events.emit({ type: 'message.appended', rowId: row.id, role: row.role, kind });
    }
  } catch (error) {
    ports.memory.forget();
    throw error;
  }
}

async function guarded(state: TurnState, step: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    state.cleanupErrors.push(`${step}: ${error instanceof StoreError ? error.code : messageOf(error)}`);
  }
}

function admissionOutcomeOf(outcome: TurnOutcome): AdmissionOutcome {
  return outcome === 'incomplete' ? 'completed' : outcome;
}

function resultOf(end: EndReason, state: TurnState, ports: TurnPorts): TurnResult {
  const outcome = outcomeOf(end);
  const { provider, model, baseUrl } = state.client.route;
  const explanation = [explainEnd(end), outcome === 'failed' ? (state.failure?.message ?? '') : ''].filter(
    (text) => text !== '',
  );
  return {
    turnId: state.turnId,
    sessionId: state.session.id,
    outcome,
    endReason: end,
    finalText: state.finalText,
    explanation: explanation.join(' '),
    ...(outcome === 'failed' && state.failure ? { failure: { ...state.failure, retryable: isRetryable(end) } } : {}),
    apiCalls: state.apiCalls,
    budget: state.budget.report(),
    usage: state.usage,
    lastPromptTokens: state.lastPromptTokens,
    route: { provider, model, baseUrl, ...(state.servedModel === undefined ? {} : { servedModel: state.servedModel }) },
    toolCalls: state.toolCallCount,
    durationMs: Math.round(ports.clock.monotonic() - state.startedAt),
    cleanupErrors: [...state.cleanupErrors, ...ports.events.failures],
  };
}
