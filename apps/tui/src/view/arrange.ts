import { openCompletions } from '../state/open-completions.ts';
import type { Messages } from '../language/messages.ts';
import type { UiState } from '../state/ui-state.ts';
import { look, type Paint, span } from '../text/style.ts';
import { truncate } from '../text/width.ts';
import { completionView } from './completion-view.ts';
import { type ComposerView, composerView } from './composer-view.ts';
import { firstRunView } from './first-run-view.ts';
import { outboxView } from './outbox-view.ts';
import { hintText } from './status-view.ts';

/** Smallest terminal that is drawn on (CLI spec 8.2). */
const MIN_COLUMNS = 30;
const MIN_ROWS = 8;

/** Below this height the hint, the rule and the texts of queued messages go. */
const FULL_ROWS = 16;

const COMPLETION_ROWS = 8;
const MIN_TRANSCRIPT = 3;

/** How the rows are divided: the transcript gets what the lower parts leave. */
export interface Arrangement {
  readonly transcriptRows: number;
  /** Between transcript and status bar, from top to bottom. */
  readonly lower: readonly string[];
  readonly composer: ComposerView;
  /** Row of the composer's first line, from the top of the screen. */
  readonly composerTop: number;
}

export function isTooSmall({ columns, rows }: Pick<UiState, 'columns' | 'rows'>): boolean {
  return columns < MIN_COLUMNS || rows < MIN_ROWS;
}

export function arrange(state: UiState, { messages, paint }: { messages: Messages; paint: Paint }): Arrangement {
  const isLow = state.rows < FULL_ROWS;
  const composer = composerView(state, messages, paint);
  const rule = isLow ? [] : [paint([span('─'.repeat(state.columns), look.muted)])];
  const hint = isLow && !state.armed ? [] : [hintLine(state, messages, paint)];
  let room = Math.max(0, state.rows - 1 - composer.lines.length - rule.length - hint.length);
  const take = (lines: readonly string[], least: number) => {
    const taken = lines.slice(0, Math.max(0, room - least));
    room -= taken.length;
    return taken;
  };
  const outbox = take(outboxView(state, isLow, messages, paint), 1);
  const commands = openCompletions(state, { messages });
  const completion = take(
    commands.length === 0
      ? []
      : completionView(
          commands,
          state.completion.selected,
          state.columns,
          Math.min(COMPLETION_ROWS, Math.max(1, room - 1)),
          paint,
        ),
    0,
  );
  const card = take(
    state.firstRun ? firstRunView(state.firstRun, state, messages, paint) : [],
    Math.min(room, isLow ? 0 : MIN_TRANSCRIPT),
  );
  const above = [...card, ...outbox, ...rule, ...completion];
  return {
    transcriptRows: room,
    lower: [...above, ...composer.lines, ...hint],
    composer,
    composerTop: room + above.length,
  };
}

function hintLine(state: UiState, messages: Messages, paint: Paint): string {
  const { text, style } = hintText(state, messages);
  return paint([span(truncate(text, state.columns), style)]);
}
