import type { Messages } from '../language/messages.ts';
import type { MarkdownLexer } from '../markdown/render.ts';
import type { UiState } from '../state/ui-state.ts';
import { look, type Paint, span } from '../text/style.ts';
import { truncate } from '../text/width.ts';
import { createBlockLines } from '../transcript/block-lines.ts';
import { type LinesOf, newLineCount, visibleLines } from '../transcript/viewport.ts';
import { arrange, isTooSmall } from '../view/arrange.ts';
import { overlayView } from '../view/overlay-view.ts';
import { statusView } from '../view/status-view.ts';

/** One frame: exactly as many lines as the terminal has rows, and where its cursor stands. */
export interface Frame {
  readonly lines: readonly string[];
  readonly cursor: { readonly x: number; readonly y: number } | undefined;
}

/** Draws states into frames. Lines of blocks are kept until the width or another condition of theirs changes. */
export class Drawing {
  readonly messages: Messages;
  readonly paint: Paint;
  #lexer: MarkdownLexer | null = null;
  #lines: { readonly key: string; readonly linesOf: LinesOf } | undefined;
  #upper: { readonly inputs: readonly unknown[]; readonly lines: readonly string[] } | undefined;

  constructor(messages: Messages, paint: Paint) {
    this.messages = messages;
    this.paint = paint;
  }

  /** From now on markdown is laid out. The state's `lexerReady` makes the kept lines stale. */
  useLexer(lexer: MarkdownLexer): void {
    this.#lexer = lexer;
  }

  linesOf(state: UiState): LinesOf {
    const { columns: width, thinking, lexerReady } = state;
    const key = `${width} ${thinking} ${lexerReady}`;
    if (this.#lines?.key !== key) {
      const { messages, paint } = this;
      const lexer = lexerReady ? this.#lexer : null;
      this.#lines = { key, linesOf: createBlockLines({ width, paint, messages, lexer, thinking }) };
    }
    return this.#lines.linesOf;
  }

  frame(state: UiState): Frame {
    if (isTooSmall(state)) return this.#tooSmall(state);
    const { transcriptRows, lower, composer, composerTop } = arrange(state, this);
    const overlay = state.overlay && overlayView(state.overlay, state, transcriptRows, this.messages, this.paint);
    const upper = overlay ? overlay.lines : this.#transcript(state, transcriptRows);
    const lines = [...padded(upper, transcriptRows), ...lower, statusView(state, this.messages, this.paint)];
    if (!overlay) return { lines, cursor: { x: composer.cursor.column, y: composerTop + composer.cursor.row } };
    return { lines, cursor: overlay.cursorColumn === null ? undefined : { x: overlay.cursorColumn, y: 0 } };
  }

  /** The transcript's rows, as they were when nothing they depend on has changed: a key pressed costs nothing here. */
  #transcript(state: UiState, rows: number): readonly string[] {
    const linesOf = this.linesOf(state);
    const inputs = [state.transcript, state.view, rows, linesOf];
    if (this.#upper && inputs.every((input, index) => input === this.#upper?.inputs[index])) return this.#upper.lines;
    const lines = this.#transcriptLines(state, rows, linesOf);
    this.#upper = { inputs, lines };
    return lines;
  }

  #transcriptLines({ transcript, view, columns }: UiState, rows: number, linesOf: LinesOf): readonly string[] {
    if (view.follow || rows < 2) return visibleLines(transcript, view, rows, linesOf);
    const count = newLineCount(transcript, view, linesOf);
    const { newLines, below } = this.messages.transcript;
    const chip = this.paint([span(truncate(count > 0 ? newLines(count) : below, columns), look.accent)]);
    return [...padded(visibleLines(transcript, view, rows - 1, linesOf), rows - 1), chip];
  }

  #tooSmall({ columns, rows }: UiState): Frame {
    const text = truncate(this.messages.screen.tooSmall(columns, rows), columns);
    return { lines: padded([text], rows), cursor: undefined };
  }
}

function padded(lines: readonly string[], rows: number): string[] {
  return Array.from({ length: rows }, (_, row) => lines[row] ?? '');
}
