import { addLive, replaceLast } from '../transcript/transcript.ts';
import { type Env, type Step, step, type UiMessage } from './message.ts';
import type { Outgoing, UiState } from './ui-state.ts';

/** Puts a message on its way. Nothing typed is lost: what cannot be sent yet waits. */
export function addOutgoing(state: UiState, text: string, intent: Outgoing['intent'], env: Env): Step {
  const outgoing: Outgoing = {
    requestId: env.newId(),
    text,
    intent,
    state: 'waiting',
    admissionId: null,
    echoed: false,
  };
  const counts = { ...state.counts, prompts: state.counts.prompts + 1 };
  return pump({ ...state, counts, outbox: [...state.outbox, outgoing] }, env);
}

/** Does the next thing that lets a waiting message go: open a session, or hand the message over. One at a time. */
export function pump(state: UiState, env: Env): Step {
  const next = state.outbox.find((outgoing) => outgoing.state === 'waiting');
  if (!next || state.link.phase !== 'ready' || !state.route || state.opening || state.resumeRef) return step(state);
  if (!state.session) {
    return step({ ...state, opening: 'creating' }, { type: 'createSession', requestId: env.newId(), cwd: state.cwd });
  }
  if (state.outbox.some((outgoing) => outgoing.state === 'sending')) return step(state);
  const { requestId, text, intent } = next;
  const echoed = state.turn === null && state.transcript.live.length === 0;
  const transcript = echoed
    ? addLive(state.transcript, { kind: 'user', id: requestId, text, steered: false })
    : state.transcript;
  const sent = change(state, next, { state: 'sending', echoed });
  return step(
    { ...sent, transcript },
    { type: 'submit', requestId, sessionId: state.session.session_id, text, intent },
  );
}

export function admitted(state: UiState, message: UiMessage & { type: 'prompt.admitted' }, env: Env): Step {
  const outgoing = state.outbox.find(({ requestId }) => requestId === message.requestId);
  if (!outgoing) return pump(state, env);
  const { admissionId } = message;
  if (message.status === 'streaming') return step(change(state, outgoing, { admissionId }));
  const held = message.status === 'queued' ? 'queued' : 'steering';
  return pump(change(unecho(state, outgoing), outgoing, { admissionId, state: held, echoed: false }), env);
}

export function refused(state: UiState, requestId: string): UiState {
  const outgoing = state.outbox.find((candidate) => candidate.requestId === requestId);
  if (!outgoing) return state;
  const next = state.link.phase === 'ready' ? 'returned' : 'waiting';
  return change(unecho(state, outgoing), outgoing, { state: next, echoed: false });
}

/** What the host had of us goes back to waiting under the same id, so that sending it again changes nothing twice. */
export function holdAll(state: UiState): UiState {
  const outbox = state.outbox.map(
    (outgoing): Outgoing =>
      outgoing.state === 'returned' ? outgoing : { ...outgoing, state: 'waiting', admissionId: null, echoed: false },
  );
  return { ...state, outbox };
}

/** The message an event speaks of: by its admission, else the oldest one with its text. */
export function findOutgoing({ outbox }: UiState, admissionId: string, text: string): Outgoing | undefined {
  return (
    outbox.find((outgoing) => outgoing.admissionId === admissionId) ??
    outbox.find((outgoing) => outgoing.admissionId === null && outgoing.state !== 'waiting' && outgoing.text === text)
  );
}

export function removeOutgoing(state: UiState, outgoing: Outgoing | undefined): UiState {
  return outgoing ? { ...state, outbox: state.outbox.filter((other) => other !== outgoing) } : state;
}

export function change(state: UiState, outgoing: Outgoing, to: Partial<Outgoing>): UiState {
  return { ...state, outbox: state.outbox.map((other) => (other === outgoing ? { ...other, ...to } : other)) };
}

/** Takes the message out of the transcript again: it did not start a turn. */
export function unecho(state: UiState, outgoing: Outgoing): UiState {
  if (!outgoing.echoed) return state;
  const isEcho = (block: { kind: string }) => 'id' in block && block.id === outgoing.requestId;
  return { ...state, transcript: replaceLast(state.transcript, isEcho, () => null) ?? state.transcript };
}

/** Sends the oldest returned message, as the user asked by Enter; undefined when there is none. */
export function resendReturned(state: UiState, env: Env): Step | undefined {
  const returned = state.outbox.find((outgoing) => outgoing.state === 'returned');
  if (!returned) return undefined;
  return pump(change(state, returned, { state: 'waiting', requestId: env.newId(), admissionId: null }), env);
}

/** The newest message that only we hold, to be edited. */
export function newestHeld({ outbox }: UiState): Outgoing | undefined {
  return outbox.findLast(({ state }) => state === 'waiting' || state === 'returned');
}
