import type { Editor } from './editor.ts';
import type { PasteChip } from './paste-chip.ts';

/** A draft as it was: with its chips, so that a recalled one looks as it did. */
interface Draft {
  readonly text: string;
  readonly chips: readonly PasteChip[];
}

/** What was sent or discarded, newest last, and the place while somebody leafs through it. */
export interface History {
  readonly entries: readonly Draft[];
  readonly browsing: { readonly index: number; readonly draft: Draft } | null;
}

const MAX_ENTRIES = 1000;

export const EMPTY_HISTORY: History = { entries: [], browsing: null };

/** Adds a draft; an earlier one with the same text goes. One that starts with a space is not kept (CLI spec 8.7). */
export function remember(history: History, { text, chips }: Editor): History {
  if (text.trim() === '' || text.startsWith(' ')) return { ...history, browsing: null };
  const others = history.entries.filter((entry) => entry.text !== text || entry.chips.length > 0);
  return { entries: [...others, { text, chips }].slice(-MAX_ENTRIES), browsing: null };
}

/** The next older (or newer) entry that starts with the draft the leafing began with. */
export function leaf(
  history: History,
  editor: Editor,
  direction: 'older' | 'newer',
): { readonly history: History; readonly draft: Draft } | undefined {
  const { entries } = history;
  const start = history.browsing ?? { index: entries.length, draft: { text: editor.text, chips: editor.chips } };
  const step = direction === 'older' ? -1 : 1;
  for (let index = start.index + step; index >= 0 && index < entries.length; index += step) {
    const entry = entries[index];
    if (entry?.text.startsWith(start.draft.text)) {
      return { history: { entries, browsing: { index, draft: start.draft } }, draft: entry };
    }
  }
  if (direction === 'older' || !history.browsing) return undefined;
  return { history: { entries, browsing: null }, draft: start.draft };
}
