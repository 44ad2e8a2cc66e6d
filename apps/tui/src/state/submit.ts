import { namesCommand } from '../commands/completion.ts';
import { type CommandInfo, isCommand, localAction } from '../commands/local-commands.ts';
import { cleared, fullText, insert, deleteLeft, setText } from '../composer/editor.ts';
import { remember } from '../composer/history.ts';
import { FOLLOW } from '../transcript/viewport.ts';
import { discardDraft, withEditor } from './edit-keys.ts';
import { type Env, type Step, step } from './message.ts';
import { openCompletions } from './open-completions.ts';
import { openModels, openSessions } from './overlay-keys.ts';
import { addOutgoing, resendReturned } from './outbox.ts';
import { flash, newSession, resume } from './session-switch.ts';
import { isRunning, type UiState } from './ui-state.ts';

/** Enter: a new line after a backslash, else the highlighted completion, else the message goes (CLI spec 8.7). */
export function submitDraft(state: UiState, intent: 'queue' | 'steer', env: Env): Step {
  const { editor } = state;
  if (intent === 'steer' && editor.text.slice(0, editor.cursor).endsWith('\\')) {
    return step(withEditor(state, insert(deleteLeft(editor), '\n')));
  }
  const candidates = openCompletions(state, env);
  const selected = candidates[state.completion.selected] ?? candidates[0];
  if (selected && !candidates.some((command) => namesCommand(editor.text, command))) {
    const accepted = acceptCompletion(state, selected);
    return candidates.length === 1 && selected.arguments === '' ? submitText(accepted, intent, env) : step(accepted);
  }
  return submitText(state, intent, env);
}

/** Writes the command into the composer; one that takes arguments gets the space before them. */
export function acceptCompletion(state: UiState, command: CommandInfo): UiState {
  const text = `/${command.name}${command.arguments === '' ? '' : ' '}`;
  return withEditor(state, setText(state.editor, text));
}

function submitText(state: UiState, intent: 'queue' | 'steer', env: Env): Step {
  const text = fullText(state.editor).trim();
  if (text === '') return resendReturned(state, env) ?? step(state);
  if (isCommand(text)) return runCommand(state, text, env);
  const sent = { ...discardDraft(state), view: FOLLOW, flash: null };
  return addOutgoing(sent, text, isRunning(state) && intent === 'steer' ? state.busyInput : 'queue', env);
}

function runCommand(state: UiState, line: string, env: Env): Step {
  const local = localAction(line);
  const done: UiState = {
    ...withEditor(state, cleared(state.editor)),
    history: remember(state.history, state.editor),
    view: FOLLOW,
  };
  switch (local?.action) {
    case 'help':
      return step({ ...done, overlay: { kind: 'help', offset: 0 } });
    case 'quit':
      return step(done, { type: 'exit', code: 0 });
    case 'new':
      return newSession(done, env);
    case 'sessions':
      return openSessions(done, local.argument);
    case 'resume':
      return local.argument === '' ? openSessions(done, '') : resume(done, local.argument, env);
    case 'model':
      return openModels(done, local.argument);
    case undefined:
      if (state.link.phase !== 'ready') return step(flash(state, env.messages.status.starting, env));
      return step(done, { type: 'dispatchCommand', sessionId: state.session?.session_id ?? null, line });
  }
}
