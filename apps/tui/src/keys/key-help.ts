import type { Messages } from '../language/messages.ts';

type Entry = keyof Messages['help']['entries'];

/** The keys as the help shows them. */
export const KEY_HELP: readonly { readonly keys: string; readonly entry: Entry }[] = [
  { keys: 'Enter', entry: 'send' },
  { keys: 'Tab', entry: 'queue' },
  { keys: 'Shift+Enter, Alt+Enter, Ctrl+J, \\ Enter', entry: 'newline' },
  { keys: 'Esc Esc', entry: 'interrupt' },
  { keys: 'Ctrl+C', entry: 'ctrlC' },
  { keys: 'Ctrl+D', entry: 'exit' },
  { keys: '↑ ↓', entry: 'history' },
  { keys: 'Ctrl+←/→, Alt+B/F', entry: 'words' },
  { keys: 'Ctrl+A/E, Home/End', entry: 'line' },
  { keys: 'Ctrl+W, Alt+D', entry: 'deleteWord' },
  { keys: 'Ctrl+U, Ctrl+K', entry: 'kill' },
  { keys: 'Ctrl+Y, Alt+Y', entry: 'yank' },
  { keys: 'Alt+U, Alt+Shift+U', entry: 'undo' },
  { keys: 'Alt+P', entry: 'paste' },
  { keys: 'PageUp/Down, Shift+↑/↓', entry: 'scroll' },
  { keys: 'Ctrl+Home/End', entry: 'ends' },
  { keys: 'Ctrl+O', entry: 'model' },
  { keys: 'Alt+T', entry: 'thinking' },
  { keys: 'Ctrl+L', entry: 'repaint' },
  { keys: 'Ctrl+Z', entry: 'suspend' },
];
