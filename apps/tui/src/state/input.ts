import { insert, moveToLineEnd, paste } from '../composer/editor.ts';
import type { InputEvent } from '../input/input-event.ts';
import { actionFor, type KeyAction } from '../keys/bindings.ts';
import { FOLLOW, nearStart, scrollBy, scrollToStart, type View } from '../transcript/viewport.ts';
import { arrange } from '../view/arrange.ts';
import { discardDraft, EDITS, isEdit, moveVertically, withEditor } from './edit-keys.ts';
import { chooseByDigit, chooseSelected, moveChoice } from './first-run-keys.ts';
import { type Env, type Step, step, andThen } from './message.ts';
import { openCompletions } from './open-completions.ts';
import { openModels, overlayKey, typeIntoOverlay } from './overlay-keys.ts';
import { acceptCompletion, submitDraft } from './submit.ts';
import { isRunning, type UiState } from './ui-state.ts';

const AGAIN_MS = 2000;
const ESCAPE_AGAIN_MS = 500;
const WHEEL_LINES = 3;

const THINKING_NEXT = { expanded: 'collapsed', collapsed: 'hidden', hidden: 'expanded' } as const;

/** Everything that was read in one go; a screen that shows any of it shows all of it. */
export function applyInput(state: UiState, events: readonly InputEvent[], env: Env): Step {
  return events.reduce((before, event) => andThen(before, (next) => applyEvent(next, event, env)), step(state));
}

function applyEvent(state: UiState, event: InputEvent, env: Env): Step {
  switch (event.type) {
    case 'text':
      return typed(state, event.text, env);
    case 'paste':
      return state.overlay
        ? step(typeIntoOverlay(state, state.overlay, event.text))
        : step(disarmed(withEditor(state, paste(state.editor, event.text))));
    case 'wheel':
      return scroll(state, event.direction === 'up' ? -WHEEL_LINES : WHEEL_LINES, env);
    case 'key':
      return pressed(state, event.key, env);
    case 'kitty':
      return step(state);
  }
}

function typed(state: UiState, text: string, env: Env): Step {
  if (state.overlay) return step(typeIntoOverlay(state, state.overlay, text));
  if (state.editor.text === '') {
    const chosen = state.firstRun && chooseByDigit(state, state.firstRun, text, env);
    if (chosen) return chosen;
    if (text === '?') return step({ ...state, overlay: { kind: 'help', offset: 0 } });
  }
  // What arrives in one piece and is this long was not typed by hand.
  const editor = text.length >= 2000 ? paste(state.editor, text) : insert(state.editor, text);
  return step(disarmed(withEditor(state, editor)));
}

function pressed(state: UiState, key: string, env: Env): Step {
  const action = actionFor(state.overlay ? 'overlay' : 'composer', key);
  if (!action) return step(state);
  if (state.overlay) return overlayKey(state, state.overlay, action, env);
  const keepsArmed = action === 'interruptOrExit' || action === 'escape' || action === 'exitOrDeleteRight';
  return perform(keepsArmed ? state : disarmed(state), action, env);
}

type Action = (state: UiState, env: Env) => Step;

/** What keys do that do more than edit the text. */
const ACTIONS: Partial<Record<KeyAction, Action>> = {
  submit: (state, env) =>
    state.firstRun && state.editor.text === ''
      ? chooseSelected(state, state.firstRun, env)
      : submitDraft(state, 'steer', env),
  queue: tab,
  newLine: (state) => step(withEditor(state, insert(state.editor, '\n'))),
  interruptOrExit,
  escape,
  exitOrDeleteRight,
  suspend: (state) => step(state, { type: 'suspend' }),
  repaint: (state) => step(state, { type: 'repaint' }),
  modelPicker: (state) => openModels(state, ''),
  cycleThinking: (state) => step({ ...state, thinking: THINKING_NEXT[state.thinking] }),
  up: (state, env) => step(vertical(state, -1, env)),
  down: (state, env) => step(vertical(state, 1, env)),
  lineEnd,
  scrollPageUp: (state, env) => scroll(state, -halfPage(state, env), env),
  scrollPageDown: (state, env) => scroll(state, halfPage(state, env), env),
  scrollLineUp: (state, env) => scroll(state, -1, env),
  scrollLineDown: (state, env) => scroll(state, 1, env),
  scrollStart: (state, env) =>
    withView(state, scrollToStart(state.transcript, state.view, transcriptRows(state, env), env.linesOf(state))),
  scrollEnd: (state) => withView(state, FOLLOW),
};

function perform(state: UiState, action: KeyAction, env: Env): Step {
  const known = ACTIONS[action];
  if (known) return known(state, env);
  return isEdit(action) ? step(withEditor(state, EDITS[action](state.editor))) : step(state);
}

/** Tab accepts a completion, else queues the draft while a turn runs. */
function tab(state: UiState, env: Env): Step {
  const candidates = openCompletions(state, env);
  const selected = candidates[state.completion.selected] ?? candidates[0];
  if (selected) return step(acceptCompletion(state, selected));
  return isRunning(state) && state.editor.text.trim() !== '' ? submitDraft(state, 'queue', env) : step(state);
}

function vertical(state: UiState, delta: -1 | 1, env: Env): UiState {
  const candidates = openCompletions(state, env);
  if (candidates.length > 0) {
    const selected = (state.completion.selected + delta + candidates.length) % candidates.length;
    return { ...state, completion: { ...state.completion, selected } };
  }
  if (state.firstRun && state.editor.text === '') return moveChoice(state, state.firstRun, delta);
  return moveVertically(state, delta, env);
}

/** End goes to the end of the line; there already, back to the newest line of the conversation. */
function lineEnd(state: UiState): Step {
  const editor = moveToLineEnd(state.editor);
  return step({ ...state, editor, view: editor.cursor === state.editor.cursor ? FOLLOW : state.view });
}

function halfPage(state: UiState, env: Env): number {
  return Math.max(1, Math.floor(transcriptRows(state, env) / 2));
}

function scroll(state: UiState, delta: number, env: Env): Step {
  const rows = transcriptRows(state, env);
  return withView(state, scrollBy(state.transcript, state.view, delta, rows, env.linesOf(state)));
}

/** Looks elsewhere; near the beginning of what is loaded, older blocks are fetched. */
function withView(state: UiState, view: View): Step {
  const moved = { ...state, view };
  const { olderBefore } = state.transcript;
  if (!state.session || olderBefore === null || state.loadingOlder || !nearStart(view)) return step(moved);
  return step(
    { ...moved, loadingOlder: true },
    { type: 'loadOlder', sessionId: state.session.session_id, beforeRow: olderBefore },
  );
}

function transcriptRows(state: UiState, env: Env): number {
  return arrange(state, env).transcriptRows;
}

/** Ctrl+C: clear the draft, else interrupt (again: leave without waiting), else exit when pressed again (CLI spec 8.9). */
function interruptOrExit(state: UiState, env: Env): Step {
  if (state.editor.text !== '') return step(disarmed(discardDraft(state)));
  if (isRunning(state)) {
    if (isArmed(state, 'forceQuit', env)) return step(state, { type: 'exit', code: 130 });
    return interrupt(arm(state, 'forceQuit', AGAIN_MS, env));
  }
  if (isArmed(state, 'exit', env)) return step(state, { type: 'exit', code: 0 });
  return step(arm(state, 'exit', AGAIN_MS, env));
}

/** Esc: close the completion, else interrupt on the second press, else discard the draft on the second press. */
function escape(state: UiState, env: Env): Step {
  if (openCompletions(state, env).length > 0) {
    return step({ ...state, completion: { ...state.completion, dismissed: true } });
  }
  if (isRunning(state)) {
    if (isArmed(state, 'interrupt', env)) return interrupt(disarmed(state));
    return step(arm(state, 'interrupt', ESCAPE_AGAIN_MS, env));
  }
  if (state.editor.text === '') return step({ ...disarmed(state), view: FOLLOW });
  if (isArmed(state, 'discard', env)) return step(disarmed(discardDraft(state)));
  return step(arm(state, 'discard', ESCAPE_AGAIN_MS, env));
}

function exitOrDeleteRight(state: UiState, env: Env): Step {
  if (state.editor.text !== '') return step(withEditor(state, EDITS.deleteRight(state.editor)));
  if (!isRunning(state) || isArmed(state, 'exitWhileRunning', env)) return step(state, { type: 'exit', code: 0 });
  return step(arm(state, 'exitWhileRunning', AGAIN_MS, env));
}

function interrupt(state: UiState): Step {
  if (!state.session) return step(state);
  const stopping = state.turn ? { ...state, turn: { ...state.turn, stopping: true } } : state;
  return step(stopping, { type: 'interrupt', sessionId: state.session.session_id });
}

type ArmedKey = NonNullable<UiState['armed']>['what'];

function arm(state: UiState, what: ArmedKey, ms: number, env: Env): UiState {
  return { ...state, armed: { what, until: env.now + ms }, flash: null };
}

function isArmed({ armed }: UiState, what: ArmedKey, env: Env): boolean {
  return armed !== null && armed.what === what && env.now <= armed.until;
}

function disarmed(state: UiState): UiState {
  return state.armed === null ? state : { ...state, armed: null };
}
