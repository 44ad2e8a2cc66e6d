import {
  cleared,
  deleteLeft,
  deleteRight,
  type Editor,
  expandChip,
  killToEnd,
  killToStart,
  killWordLeft,
  killWordRight,
  moveLeft,
  moveRight,
  moveTo,
  moveToLineEnd,
  moveToLineStart,
  moveWordLeft,
  moveWordRight,
  redo,
  setText,
  undo,
  yank,
  yankOlder,
} from '../composer/editor.ts';
import { layoutEditor, offsetInRow } from '../composer/editor-layout.ts';
import { leaf, remember } from '../composer/history.ts';
import type { EditAction, KeyAction } from '../keys/bindings.ts';
import { composerWidth } from '../view/composer-view.ts';
import type { Env } from './message.ts';
import { newestHeld, removeOutgoing } from './outbox.ts';
import type { UiState } from './ui-state.ts';

/** What each editing key does to the text. */
export const EDITS: Record<EditAction, (editor: Editor) => Editor> = {
  left: moveLeft,
  right: moveRight,
  wordLeft: moveWordLeft,
  wordRight: moveWordRight,
  lineStart: moveToLineStart,
  lineEnd: moveToLineEnd,
  deleteLeft,
  deleteRight,
  killWordLeft,
  killWordRight,
  killToStart,
  killToEnd,
  yank,
  yankOlder,
  undo,
  redo,
  expandChip,
};

export function isEdit(action: KeyAction): action is EditAction {
  return Object.hasOwn(EDITS, action);
}

/** Every change of the text opens the completion anew and ends leafing through the history. */
export function withEditor(state: UiState, editor: Editor): UiState {
  if (editor.text === state.editor.text) return { ...state, editor };
  return {
    ...state,
    editor,
    completion: { selected: 0, dismissed: false },
    history: { ...state.history, browsing: null },
  };
}

/** Up and Down: a row of the draft, then the newest message that is still held, then the history (CLI spec 8.10). */
export function moveVertically(state: UiState, delta: -1 | 1, env: Env): UiState {
  const { editor } = state;
  const layout = layoutEditor(editor, composerWidth(state), env.messages);
  const offset = state.history.browsing ? undefined : offsetInRow(editor, layout, delta, env.messages);
  if (offset !== undefined) return { ...state, editor: moveTo(editor, offset) };
  const held = newestHeld(state);
  if (delta === -1 && editor.text === '' && held && !state.history.browsing) {
    return withEditor(removeOutgoing(state, held), setText(editor, held.text));
  }
  const found = leaf(state.history, editor, delta === -1 ? 'older' : 'newer');
  if (!found) return state;
  return { ...state, history: found.history, editor: setText(editor, found.draft.text, found.draft.chips) };
}

/** Clears the draft; Up brings it back. */
export function discardDraft(state: UiState): UiState {
  return { ...withEditor(state, cleared(state.editor)), history: remember(state.history, state.editor) };
}
