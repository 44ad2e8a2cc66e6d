import { FOLLOW } from '../transcript/viewport.ts';
import { type Env, type Step, step } from './message.ts';
import { pump } from './outbox.ts';
import { freshTranscript, type UiState } from './ui-state.ts';

const FLASH_MS = 4000;

/** The next message starts a session of its own; the old one stays in the store. */
export function newSession(state: UiState, env: Env): Step {
  const fresh: UiState = {
    ...state,
    session: null,
    turn: null,
    status: null,
    usage: null,
    opening: null,
    outbox: state.outbox.filter(({ state: at }) => at === 'waiting' || at === 'returned'),
    transcript: freshTranscript(state),
    view: FOLLOW,
  };
  return pump(state.session ? flash(fresh, env.messages.sessions.started, env) : fresh, env);
}

/** Opens another session. What the host has of the old one stays there. */
export function resume(state: UiState, ref: string, env: Env): Step {
  const outbox = state.outbox.filter(({ state: at }) => at === 'waiting' || at === 'returned');
  if (state.link.phase !== 'ready') return step({ ...state, outbox, resumeRef: ref });
  if (state.session?.session_id === ref) return step(flash(state, env.messages.sessions.switched(ref), env));
  return step({ ...state, outbox, overlay: null, opening: 'resuming', resumeRef: ref }, { type: 'resumeSession', ref });
}

/** A line below the composer that goes by itself. */
export function flash(state: UiState, text: string, env: Env): UiState {
  return { ...state, flash: { text, until: env.now + FLASH_MS } };
}
