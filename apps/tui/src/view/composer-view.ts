import { layoutEditor } from '../composer/editor-layout.ts';
import type { Messages } from '../language/messages.ts';
import { look, type Paint, span } from '../text/style.ts';
import { cellWidth, truncate } from '../text/width.ts';
import type { UiState } from '../state/ui-state.ts';

/** The composer grows to this share of the rows, then it scrolls (CLI spec 8.2). */
const MAX_SHARE = 0.4;

export interface ComposerView {
  readonly lines: readonly string[];
  /** Where the terminal's cursor stands, from the composer's top left. */
  readonly cursor: { readonly row: number; readonly column: number };
}

/** Columns for the text, behind the prompt sign. */
export function composerWidth(state: Pick<UiState, 'columns' | 'profile'>): number {
  return Math.max(4, state.columns - cellWidth(promptSign(state)));
}

export function composerView(state: UiState, messages: Messages, paint: Paint): ComposerView {
  const { rows, cursor } = layoutEditor(state.editor, composerWidth(state), messages);
  const height = Math.min(rows.length, Math.max(1, Math.floor(state.rows * MAX_SHARE)));
  const top = Math.max(0, Math.min(cursor.row - height + 1, rows.length - height));
  const sign = promptSign(state);
  const indent = ' '.repeat(cellWidth(sign));
  if (state.editor.text === '') {
    const placeholder = truncate(messages.composer.placeholder, composerWidth(state));
    return {
      lines: [paint([span(sign, look.user), span(placeholder, look.muted)])],
      cursor: { row: 0, column: cellWidth(sign) },
    };
  }
  return {
    lines: rows
      .slice(top, top + height)
      .map((row, index) => paint([index + top === 0 ? span(sign, look.user) : span(indent), span(row.text)])),
    cursor: { row: cursor.row - top, column: cellWidth(sign) + cursor.column },
  };
}

/** `❯ `, with the profile's name where it is not the default one. */
function promptSign({ profile, columns }: Pick<UiState, 'profile' | 'columns'>): string {
  return profile === 'default' || profile === '' || columns < 60 ? '❯ ' : `${truncate(profile, 16)} ❯ `;
}
