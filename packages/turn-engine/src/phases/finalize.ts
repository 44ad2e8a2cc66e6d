import { messageOf } from '@hermes/runtime';
import type { AdmissionOutcome, NewRow } from '@hermes/session-db';
import {
  type EndReason,
  explainEnd,
  formatEndReason,
  isRetryable,
  outcomeOf,
  type TurnOutcome,
} from '../result/end-reason.ts';
import { endOfFailure, failureOf } from '../result/end-of-failure.ts';
import type { TurnResult } from '../result/turn-result.ts';
import type { TurnPorts } from '../turn/ports.ts';
import type { TurnState } from '../turn/turn-state.ts';
import { takeUnrecorded } from './take-unrecorded.ts';

/**
 * Ends the turn, whatever it came to: closes the transcript, writes the end, gives the lease back, and builds the result.
 * Each step is guarded: one that fails is listed in `cleanupErrors` and never loses the text.
 */
export async function finalize(state: TurnState, ports: TurnPorts): Promise<TurnResult> {
  let end = state.end ?? { code: 'internal_error', detail: 'the turn left its loop without a reason' };
  recoverStreamedText(end, state);
  closeTranscript(end, state);
  if (end.code !== 'lease_lost') {
    end = (await writeEnd(end, state, ports)) ?? end;
    await guarded(state, 'releasing the lease', async () => {
      if (state.lease) await ports.store.releaseLease(state.lease);
    });
  }
  if (end.code === 'lease_lost') {
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

/** Writes the end. An end that cannot be written is another end: the one that is returned. */
async function writeEnd(end: EndReason, state: TurnState, ports: TurnPorts): Promise<EndReason | undefined> {
  try {
    if (!state.opened) {
      await ports.store.cancelAdmission(state.admission.id);
      return undefined;
    }
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
    return undefined;
  } catch (error) {
    ports.memory.forget();
    if (outcomeOf(end) === 'failed') {
      state.cleanupErrors.push(`writing the end of the turn: ${messageOf(error)}`);
      return undefined;
    }
    state.failure = failureOf(error);
    return endOfFailure(error);
  }
}

async function guarded(state: TurnState, step: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    state.cleanupErrors.push(`${step}: ${messageOf(error)}`);
  }
}

function admissionOutcomeOf(outcome: TurnOutcome): AdmissionOutcome {
  return outcome === 'incomplete' ? 'completed' : outcome;
}

function resultOf(end: EndReason, state: TurnState, ports: TurnPorts): TurnResult {
  const outcome = outcomeOf(end);
  const { provider, model, baseUrl } = state.client.route;
  const why = explainEnd(end);
  const cause = outcome === 'failed' ? (state.failure?.message ?? '') : '';
  const explanation = cause === '' || why.includes(cause) ? why : `${why} ${cause}`;
  return {
    turnId: state.turnId,
    sessionId: state.session.id,
    outcome,
    endReason: end,
    finalText: state.finalText,
    explanation,
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
