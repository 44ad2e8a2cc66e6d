import { completions } from '../commands/completion.ts';
import { allCommands, type CommandInfo } from '../commands/local-commands.ts';
import type { Env } from './message.ts';
import type { UiState } from './ui-state.ts';

/** The commands that fit what is being typed; empty while the list was closed with Esc. */
export function openCompletions(state: UiState, env: Pick<Env, 'messages'>): readonly CommandInfo[] {
  if (state.completion.dismissed || !state.editor.text.startsWith('/')) return [];
  return completions(state.editor.text, allCommands(state.hostCommands, env.messages));
}
