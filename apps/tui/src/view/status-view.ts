import { formatClock, formatTokens } from '../language/format.ts';
import type { Messages } from '../language/messages.ts';
import type { UiState } from '../state/ui-state.ts';
import { cleanLine } from '../text/clean.ts';
import { type Line, look, type Paint, plainText, span, type Style } from '../text/style.ts';
import { cellWidth, truncate } from '../text/width.ts';

const SPINNER = ['◐', '◓', '◑', '◒'];
const SPINNER_MS = 320;
const MODEL_COLUMNS = 26;

/** Below this width the bar of the context goes, and the percentage stays (CLI spec 8.6). */
const BAR_FROM = 72;
const BAR_CELLS = 8;

interface Activity {
  readonly glyph: string;
  readonly text: string;
  readonly style: Style;
}

/**
 * State, time, model and context on the left; the session or its directory on the right. What does not fit goes: the right
 * side first, then the context, then the time; the state and the model are cut, but stay (CLI spec 8.6).
 */
export function statusView(state: UiState, messages: Messages, paint: Paint): string {
  const { columns } = state;
  const { glyph, text, style } = activity(state, messages);
  const verb = truncate(text, Math.max(8, Math.floor(columns / 2) - 4));
  const model = truncate(modelName(state, messages), columns - cellWidth(glyph) - cellWidth(verb) - 4);
  const head: Line = [span(`${glyph} `, style), span(verb, style)];
  const tail: Line = [span(' · ', look.muted), span(model, look.accent)];
  const timed = fitting([...head, ...clock(state), ...tail], [...head, ...tail], columns);
  const left = fitting([...timed, ...context(state)], timed, columns);
  const room = columns - lineWidth(left) - 2;
  const place = room >= 8 ? truncate(sessionName(state), room) : '';
  const gap = ' '.repeat(Math.max(0, columns - lineWidth(left) - cellWidth(place)));
  return paint([...left, span(gap), span(place, look.muted)]);
}

function fitting(wanted: Line, otherwise: Line, columns: number): Line {
  return lineWidth(wanted) <= columns ? wanted : otherwise;
}

function lineWidth(line: Line): number {
  return cellWidth(plainText(line));
}

/** The line over the status bar: what a key would do now. */
export function hintText(state: UiState, messages: Messages): { readonly text: string; readonly style: Style } {
  const { hint } = messages;
  switch (state.armed?.what) {
    case 'exit':
      return { text: hint.exitAgain, style: look.warning };
    case 'forceQuit':
      return { text: hint.forceQuit, style: look.warning };
    case 'interrupt':
      return { text: hint.stopAgain, style: look.warning };
    case 'discard':
      return { text: hint.discardAgain, style: look.warning };
    case 'exitWhileRunning':
      return { text: hint.exitWhileRunning, style: look.warning };
    case undefined:
      if (state.flash) return { text: state.flash.text, style: look.warning };
      return {
        text: state.turn ? hint[state.busyInput === 'queue' ? 'runningQueue' : 'running'] : hint.idle,
        style: look.muted,
      };
  }
}

function activity(state: UiState, { status }: Messages): Activity {
  const { link, turn } = state;
  if (link.phase === 'starting') return { glyph: '○', text: status.starting, style: look.muted };
  if (link.phase === 'restarting') return { glyph: '○', text: status.restarting, style: look.warning };
  if (link.phase === 'down') return { glyph: '✗', text: status.offline, style: look.bad };
  if (state.opening === 'resuming') return { glyph: '○', text: status.resuming, style: look.muted };
  const glyph = SPINNER[Math.floor(state.now / SPINNER_MS) % SPINNER.length] ?? '◐';
  if (turn?.stopping) return { glyph, text: status.stopping, style: look.warning };
  if (state.status?.kind === 'retrying' || state.status?.kind === 'waiting') {
    const text = state.status.text === '' ? status[state.status.kind] : cleanLine(state.status.text);
    return { glyph, text, style: look.warning };
  }
  if (turn) return { glyph, text: turnVerb(state, turn.drafting, status), style: look.good };
  if (state.outbox.some((outgoing) => outgoing.state === 'sending')) {
    return { glyph, text: status.sending, style: look.good };
  }
  return state.route
    ? { glyph: '●', text: status.ready, style: look.good }
    : { glyph: '○', text: status.noProvider, style: look.warning };
}

function turnVerb({ transcript }: UiState, drafting: string | null, status: Messages['status']): string {
  if (drafting !== null) return status.drafting(cleanLine(drafting));
  const last = transcript.live.findLast(
    (block) =>
      (block.kind === 'tool' && block.state === 'running') || (block.kind === 'assistant' && block.state === 'open'),
  );
  if (last?.kind === 'tool') return status.running(cleanLine(last.name));
  return last ? status.writing : status.thinking;
}

function clock({ turn, now }: UiState): Line {
  return turn ? [span(` ${formatClock(now - turn.startedAt)}`, look.muted)] : [];
}

function modelName({ route }: UiState, { status }: Messages): string {
  if (!route) return status.noModel;
  return truncate(cleanLine(route.scripted ? `${route.model} (demo)` : route.model), MODEL_COLUMNS);
}

/** Tokens in the context, a bar and the share used; every level has a colour and, in the bar, a length. */
function context({ usage, columns }: UiState): Line {
  if (!usage || usage.window <= 0) return [];
  const percent = Math.min(100, Math.round((usage.tokens / usage.window) * 100));
  const style = percent < 50 ? look.muted : percent < 80 ? look.warning : look.bad;
  if (columns < BAR_FROM) return [span(` · ${percent}%`, style)];
  const filled = Math.round((percent / 100) * BAR_CELLS);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}`;
  return [span(` · ${formatTokens(usage.tokens)}/${formatTokens(usage.window)} ${bar} ${percent}%`, style)];
}

function sessionName({ session, cwd }: UiState): string {
  return session?.title ? cleanLine(session.title) : shortPath(session?.cwd ?? cwd);
}

/** The last two parts of a path. */
function shortPath(path: string): string {
  const parts = path.split('/').filter(Boolean);
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join('/')}`;
}
