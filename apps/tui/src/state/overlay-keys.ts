import { previousBoundary } from '../text/width.ts';
import type { KeyAction } from '../keys/bindings.ts';
import { arrange } from '../view/arrange.ts';
import { filteredModels, filteredSessions, helpLength, overlayEntries } from '../view/overlay-view.ts';
import { type Env, type Step, step } from './message.ts';
import { resume } from './session-switch.ts';
import type { Overlay, UiState } from './ui-state.ts';

export function openSessions(state: UiState, filter: string): Step {
  const overlay: Overlay = { kind: 'sessions', filter, selected: 0, sessions: null };
  return step({ ...state, overlay }, { type: 'listSessions' });
}

export function openModels(state: UiState, filter: string): Step {
  const overlay: Overlay = { kind: 'models', filter, selected: 0, options: null };
  return step({ ...state, overlay }, { type: 'listModels' });
}

/** Typed text narrows the list; the help takes none. */
export function typeIntoOverlay(state: UiState, overlay: Overlay, text: string): UiState {
  if (overlay.kind === 'help') return state;
  return { ...state, overlay: { ...overlay, filter: overlay.filter + text.replace(/\s+/g, ' '), selected: 0 } };
}

type OverlayAction = (state: UiState, overlay: Overlay, env: Env) => Step;

/** What keys do while an overlay is open; every other action does nothing. */
const ACTIONS: Partial<Record<KeyAction, OverlayAction>> = {
  close: (state) => step({ ...state, overlay: null }),
  interruptOrExit: (state) => step({ ...state, overlay: null }),
  previous: (state, overlay, env) => step(moveSelection(state, overlay, -1, env)),
  next: (state, overlay, env) => step(moveSelection(state, overlay, 1, env)),
  pagePrevious: (state, overlay, env) => step(moveSelection(state, overlay, -pageRows(state, env), env)),
  pageNext: (state, overlay, env) => step(moveSelection(state, overlay, pageRows(state, env), env)),
  deleteLeft: (state, overlay) => step(changeFilter(state, overlay, withoutLast)),
  killToStart: (state, overlay) => step(changeFilter(state, overlay, () => '')),
  choose: (state, overlay, env) => choose(state, overlay, false, env),
  chooseDefault: (state, overlay, env) => choose(state, overlay, true, env),
  repaint: (state) => step(state, { type: 'repaint' }),
  suspend: (state) => step(state, { type: 'suspend' }),
};

export function overlayKey(state: UiState, overlay: Overlay, action: KeyAction, env: Env): Step {
  return ACTIONS[action]?.(state, overlay, env) ?? step(state);
}

function pageRows(state: UiState, env: Env): number {
  return Math.max(1, overlayEntries(arrange(state, env).transcriptRows) - 1);
}

function withoutLast(filter: string): string {
  return filter.slice(0, previousBoundary(filter, filter.length));
}

function moveSelection(state: UiState, overlay: Overlay, delta: number, env: Env): UiState {
  if (overlay.kind === 'help') {
    const last = helpLength(state, env.messages) - overlayEntries(arrange(state, env).transcriptRows);
    const offset = Math.max(0, Math.min(last, overlay.offset + delta));
    return { ...state, overlay: { ...overlay, offset } };
  }
  const count = overlay.kind === 'sessions' ? filteredSessions(overlay).length : filteredModels(overlay).length;
  const selected = Math.max(0, Math.min(count - 1, overlay.selected + delta));
  return { ...state, overlay: { ...overlay, selected } };
}

function changeFilter(state: UiState, overlay: Overlay, to: (filter: string) => string): UiState {
  return overlay.kind === 'help'
    ? state
    : { ...state, overlay: { ...overlay, filter: to(overlay.filter), selected: 0 } };
}

function choose(state: UiState, overlay: Overlay, persist: boolean, env: Env): Step {
  const closed = { ...state, overlay: null };
  if (overlay.kind === 'help') return step(closed);
  if (overlay.kind === 'sessions') {
    const session = filteredSessions(overlay)[overlay.selected];
    return session && !persist ? resume(closed, session.session_id, env) : step(state);
  }
  const option = filteredModels(overlay)[overlay.selected];
  if (!option) return step(state);
  return step(closed, {
    type: 'selectModel',
    requestId: env.newId(),
    option,
    persist: persist && option.origin !== 'demo',
  });
}
