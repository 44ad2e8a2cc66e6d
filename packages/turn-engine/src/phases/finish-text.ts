import type { NewRow } from '@hermes/session-db';
import { emptyAnswerWait } from '../retry/backoff.ts';
import type { TurnPorts } from '../turn/ports.ts';
import type { TurnState, Verdict } from '../turn/turn-state.ts';
import { interruptedEnd } from './interrupted-end.ts';
import { localSummary } from './local-summary.ts';

const MAX_CONTINUATIONS = 4;
const MAX_EMPTY_RETRIES = 3;

/** Texts the model reads when its answer was cut or empty; fixed, because they become part of the prefix. */
const CONTINUE_NUDGE = 'Your reply was cut off. Continue exactly where it stopped, without repeating anything.';
const EMPTY_PLACEHOLDER = '(no text)';
const EMPTY_NUDGE = 'Your last reply was empty. Use the results above and answer, or call the next tool.';

/** Takes the text of a response without calls as the answer, or climbs the ladder for a cut or an empty one. */
export async function finishText(state: TurnState, ports: TurnPorts): Promise<Verdict> {
  const { response } = state;
  if (!response) throw new Error('finishText ran without a response');
  const text = response.text.trim() === '' ? '' : response.text;
  if (state.graceGranted) return acceptAnswer(text || localSummary(state.wire.messages), state);
  if (response.finish === 'content_filter') {
    state.end = { code: 'content_policy_blocked' };
    state.finalText = text;
    return 'break';
  }
  if (text === '' && state.answerSoFar === '') return emptyAnswer(state, ports);
  if (response.finish === 'length') return cutAnswer(text, state, ports);
  state.end = { code: 'text_response', detail: response.finish };
  return acceptAnswer(text, state);
}

function acceptAnswer(text: string, state: TurnState): Verdict {
  const { response } = state;
  state.finalText = state.answerSoFar + text;
  state.closingRows.push({
    role: 'assistant',
    content: text,
    finishReason: response?.finish ?? 'stop',
    ...(response && response.reasoning !== '' ? { reasoning: response.reasoning } : {}),
  });
  return 'break';
}

async function cutAnswer(text: string, state: TurnState, ports: TurnPorts): Promise<Verdict> {
  const n = ++state.ladders.continuations;
  if (n > MAX_CONTINUATIONS) {
    state.end = { code: 'output_truncated' };
    return acceptAnswer(text, state);
  }
  state.answerSoFar += text;
  ports.events.emit({ type: 'recovery.step', ladder: 'truncated', n, of: MAX_CONTINUATIONS });
  await appendHidden(state, ports, [
    { role: 'assistant', content: text, finishReason: 'length' },
    { role: 'user', content: CONTINUE_NUDGE, displayKind: 'hidden' },
  ]);
  return 'continue';
}

async function emptyAnswer(state: TurnState, ports: TurnPorts): Promise<Verdict> {
  const { ladders } = state;
  const afterTools = state.wire.messages.slice(-5).some((message) => message.role === 'tool');
  if (afterTools && ladders.emptyNudges === 0) {
    ladders.emptyNudges++;
    ports.events.emit({ type: 'recovery.step', ladder: 'empty', n: 1, of: MAX_EMPTY_RETRIES + 1 });
    await appendHidden(state, ports, [
      { role: 'assistant', content: EMPTY_PLACEHOLDER, displayKind: 'hidden' },
      { role: 'user', content: EMPTY_NUDGE, displayKind: 'hidden' },
    ]);
    return 'continue';
  }
  ladders.zeroOutputs = state.response?.usage?.output === 0 ? ladders.zeroOutputs + 1 : 0;
  if (ladders.zeroOutputs >= 2 || ladders.emptyRetries >= MAX_EMPTY_RETRIES) {
    state.end = { code: 'empty_response_exhausted' };
    return 'break';
  }
  const attempt = ++ladders.emptyRetries;
  ports.events.emit({ type: 'recovery.step', ladder: 'empty', n: attempt + 1, of: MAX_EMPTY_RETRIES + 1 });
  try {
    await ports.clock.sleep(emptyAnswerWait(attempt, ports.random()), state.signal);
  } catch {
    state.end = interruptedEnd(state, false);
    return 'break';
  }
  return 'continue';
}

async function appendHidden(state: TurnState, ports: TurnPorts, rows: readonly NewRow[]): Promise<void> {
  const stored = await ports.store.append(state.heldLease, state.turnId, rows);
  state.wire.append(stored);
  for (const row of stored) {
    ports.events.emit({
      type: 'message.appended',
      rowId: row.id,
      role: row.role,
      kind: row.displayKind === 'hidden' ? 'hidden' : 'interim',
    });
  }
}
