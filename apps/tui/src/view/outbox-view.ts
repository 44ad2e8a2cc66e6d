import type { Messages } from '../language/messages.ts';
import type { Outgoing, UiState } from '../state/ui-state.ts';
import { cleanLine } from '../text/clean.ts';
import { type Line, look, type Paint, span } from '../text/style.ts';
import { cellWidth, truncate } from '../text/width.ts';

const SHOWN = 3;

/** Messages on their way, each with its state; on a low screen only how many (CLI spec 8.2). */
export function outboxView(state: UiState, lowScreen: boolean, messages: Messages, paint: Paint): string[] {
  const shown = state.outbox.filter(({ echoed }) => !echoed);
  if (shown.length === 0) return [];
  const returned = shown.filter((outgoing) => outgoing.state === 'returned').length;
  if (lowScreen) {
    return [paint([span(truncate(`  ${messages.outbox.count(shown.length)}`, state.columns), look.warning)])];
  }
  const more = shown.length - SHOWN;
  const footers = [
    ...(more > 0 ? [messages.outbox.more(more)] : []),
    ...(returned > 0 ? [messages.outbox.sendNext(returned)] : []),
  ];
  return [
    ...shown.slice(0, SHOWN).map((outgoing) => paint(row(outgoing, state, messages))),
    ...footers.map((text) => paint([span(truncate(`  ${text}`, state.columns), look.muted)])),
  ];
}

function row(outgoing: Outgoing, state: UiState, messages: Messages): Line {
  const label = `⋯ ${stateName(outgoing, state, messages)} `;
  const text = truncate(cleanLine(outgoing.text.slice(0, 1000)), state.columns - cellWidth(label));
  return [span(label, outgoing.state === 'returned' ? look.warning : look.muted), span(text)];
}

function stateName({ state: at }: Outgoing, state: UiState, { outbox }: Messages): string {
  return at === 'waiting' && state.link.phase === 'ready' && !state.route ? outbox.waitingForModel : outbox[at];
}
