import { setText } from '../composer/editor.ts';
import { addBlock } from '../transcript/transcript.ts';
import {
  backendDown,
  backendLost,
  backendReady,
  note,
  olderLoaded,
  sessionRefused,
  sessionResumed,
} from './backend-messages.ts';
import { applyEvent } from './host-events.ts';
import { applyInput } from './input.ts';
import { type Env, type Step, step, type UiMessage } from './message.ts';
import { addOutgoing, admitted, pump, refused } from './outbox.ts';
import { withEditor } from './edit-keys.ts';
import { firstRunChoices } from '../view/first-run-view.ts';
import type { FirstRun, UiState } from './ui-state.ts';

/**
 * The whole behaviour of the interface: what a message makes of the state, and what it asks of the world. Pure; time and
 * fresh ids come in through `env`.
 */
export function update(before: UiState, message: UiMessage, env: Env): Step {
  const state = before.now === env.now ? before : { ...before, now: env.now };
  switch (message.type) {
    case 'input':
      return applyInput(state, message.events, env);
    case 'prompt':
      return addOutgoing(state, message.text, 'queue', env);
    case 'resize':
      return step({ ...state, columns: message.columns, rows: message.rows });
    case 'tick':
      return step(expire(state));
    case 'lexer.loaded':
      return step({ ...state, lexerReady: true });
    case 'backend.ready':
      return backendReady(state, message, env);
    case 'backend.lost':
      return backendLost(state, message.reason, env);
    case 'backend.down':
      return backendDown(state, message, env);
    case 'backend.noise':
      return step(note(state, 'warning', env.messages.backend.noise));
    case 'host.events':
      return step(message.events.reduce((next, event) => applyEvent(next, event, env), state));
    case 'session.created':
      return pump({ ...state, session: state.session ?? message.session, opening: null }, env);
    case 'session.resumed':
      return sessionResumed(state, message, env);
    case 'session.refused':
      return sessionRefused(state, message, env);
    case 'history.older':
      return step(olderLoaded(state, message));
    case 'prompt.admitted':
      return admitted(state, message, env);
    case 'prompt.refused':
      return step(promptRefused(state, message, env));
    case 'sessions.listed':
      return step(sessionsListed(state, message.sessions));
    case 'models.listed':
      return step(modelsListed(state, message.options));
    case 'model.selected':
      return modelSelected(state, message, env);
    case 'command.answered':
      return step(commandAnswered(state, message));
    case 'call.failed':
      return step(note(withoutWaiting(state), 'error', env.messages.backend.callFailed(message.reason)));
  }
}

/** Hints and armed keys go when their time is over. */
function expire(state: UiState): UiState {
  const armed = state.armed && state.armed.until < state.now ? null : state.armed;
  const flash = state.flash && state.flash.until < state.now ? null : state.flash;
  return { ...state, armed, flash };
}

/** What waited for the answer of a call does not wait any more. */
function withoutWaiting(state: UiState): UiState {
  const { overlay, firstRun } = state;
  const isEmpty =
    (overlay?.kind === 'sessions' && overlay.sessions === null) ||
    (overlay?.kind === 'models' && overlay.options === null);
  return {
    ...state,
    loadingOlder: false,
    overlay: isEmpty ? null : overlay,
    firstRun: firstRun && { ...firstRun, options: firstRun.options ?? [] },
  };
}

function promptRefused(state: UiState, message: UiMessage & { type: 'prompt.refused' }, env: Env): UiState {
  const held = refused(state, message.requestId);
  return state.link.phase === 'ready' ? note(held, 'error', env.messages.backend.callFailed(message.reason)) : held;
}

function sessionsListed(state: UiState, sessions: (UiMessage & { type: 'sessions.listed' })['sessions']): UiState {
  return state.overlay?.kind === 'sessions' ? { ...state, overlay: { ...state.overlay, sessions } } : state;
}

function modelsListed(state: UiState, options: (UiMessage & { type: 'models.listed' })['options']): UiState {
  const firstRun = state.firstRun && withOptions(state.firstRun, options);
  const overlay = state.overlay?.kind === 'models' ? { ...state.overlay, options } : state.overlay;
  return { ...state, firstRun, overlay };
}

/** The choice that is marked stays marked when models appear before it. */
function withOptions(card: FirstRun, options: FirstRun['options']): FirstRun {
  const marked = firstRunChoices(card)[card.selected];
  const listed = { ...card, options };
  const selected = card.selected === 0 ? 0 : firstRunChoices(listed).findIndex(({ type }) => type === marked?.type);
  return { ...listed, selected: Math.max(0, selected) };
}

function modelSelected(
  state: UiState,
  { option, route, notice }: UiMessage & { type: 'model.selected' },
  env: Env,
): Step {
  const isAgain = state.chosenModel === option;
  const chosen = { ...state, route, chosenModel: option, routeProblem: null, firstRun: null };
  return pump(notice === '' || isAgain ? chosen : note(chosen, 'info', notice), env);
}

/** An unknown command goes back into the composer, with what it may have meant (CLI spec 9). */
function commandAnswered(state: UiState, { line, result }: UiMessage & { type: 'command.answered' }): UiState {
  if (result.type === 'exec') {
    const transcript = addBlock(state.transcript, { kind: 'output', command: line, text: result.output });
    return { ...state, transcript };
  }
  const told = note(state, 'warning', result.output);
  return state.editor.text === '' ? withEditor(told, setText(told.editor, line)) : told;
}
