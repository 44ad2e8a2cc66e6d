import { fullText } from '../composer/editor.ts';
import { formatDuration } from '../language/format.ts';
import type { Drawing } from '../screen/drawing.ts';
import type { UiState } from '../state/ui-state.ts';
import { cleanLine } from '../text/clean.ts';
import { look, span } from '../text/style.ts';
import { gapBefore } from '../transcript/block.ts';

const TAIL_BLOCKS = 20;

/**
 * What is left on the normal screen after the end (CLI spec 8.8, section 2): the tail of the conversation, then the session with
 * the way back to it, then what was typed and never sent.
 */
export function exitSummary(state: UiState, drawing: Drawing): string {
  const tail = tailLines(state, drawing);
  const summary = [...sessionLines(state, drawing), ...unsentLines(state, drawing)];
  const lines = [...tail, ...(tail.length > 0 && summary.length > 0 ? [''] : []), ...summary];
  return lines.map((line) => `${line}\n`).join('');
}

function tailLines(state: UiState, drawing: Drawing): string[] {
  const linesOf = drawing.linesOf(state);
  const { settled, live } = state.transcript;
  const blocks = [...settled, ...live].filter(({ kind }) => kind !== 'banner').slice(-TAIL_BLOCKS);
  return blocks.flatMap((block, index) => {
    const lines = linesOf(block);
    return lines.length > 0 && gapBefore(block, blocks[index - 1]) === 1 ? ['', ...lines] : [...lines];
  });
}

function sessionLines({ session, counts, now, startedAt, profile }: UiState, { messages, paint }: Drawing): string[] {
  if (!session) return [];
  const id = session.session_id;
  const title = session.title === null ? '' : `${cleanLine(session.title)} · `;
  const facts = `${formatDuration(now - startedAt, messages)} · ${messages.exit.counts(counts.prompts, counts.tools)}`;
  const profileFlag = profile === 'default' || profile === '' ? '' : `-p ${profile} `;
  return [
    paint([span(`${messages.exit.session}: `, look.muted), span(title, look.strong), span(id)]),
    paint([span(facts, look.muted)]),
    paint([span(`${messages.exit.resume}: `, look.muted), span(`hermes ${profileFlag}--resume ${id}`, look.accent)]),
  ];
}

function unsentLines({ editor, outbox }: UiState, { messages, paint }: Drawing): string[] {
  const unsent = outbox.filter(({ state }) => state === 'waiting' || state === 'returned').map(({ text }) => text);
  const draft = fullText(editor).trim();
  const texts = draft === '' ? unsent : [...unsent, draft];
  return texts.flatMap((text) => [paint([span(messages.exit.draft, look.warning)]), ...text.split('\n')]);
}
