import { hasInOrder } from '../commands/completion.ts';
import { allCommands } from '../commands/local-commands.ts';
import { KEY_HELP } from '../keys/key-help.ts';
import { formatAge } from '../language/format.ts';
import type { Messages } from '../language/messages.ts';
import type { ModelOption, Overlay, SessionInfo, UiState } from '../state/ui-state.ts';
import { cleanLine } from '../text/clean.ts';
import { type Line, look, type Paint, span } from '../text/style.ts';
import { cellWidth, padTo, truncate } from '../text/width.ts';
import { windowAround } from './window.ts';

/** Lines of an overlay that are not entries: the title with the filter, and the keys. */
const FRAME_ROWS = 2;

export interface OverlayView {
  readonly lines: readonly string[];
  /** Column of the cursor in the first line; null for an overlay without a filter. */
  readonly cursorColumn: number | null;
}

type SessionsOverlay = Overlay & { readonly kind: 'sessions' };
type ModelsOverlay = Overlay & { readonly kind: 'models' };

/** Sessions whose title, beginning or directory has the letters of the filter. */
export function filteredSessions({ sessions, filter }: SessionsOverlay): readonly SessionInfo[] {
  const words = filter.toLowerCase().split(' ').filter(Boolean);
  return (sessions ?? []).filter((session) => {
    const text = `${session.title ?? ''} ${session.preview} ${session.cwd} ${session.session_id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function filteredModels({ options, filter }: ModelsOverlay): readonly ModelOption[] {
  const words = filter.toLowerCase().split(' ').filter(Boolean);
  return (options ?? []).filter(({ provider, model }) => {
    const text = `${provider}/${model}`.toLowerCase();
    return words.every((word) => hasInOrder(text, word));
  });
}

/** Entries an overlay of `rows` rows has room for. */
export function overlayEntries(rows: number): number {
  return Math.max(1, rows - FRAME_ROWS);
}

export function overlayView(
  overlay: Overlay,
  state: UiState,
  rows: number,
  messages: Messages,
  paint: Paint,
): OverlayView {
  switch (overlay.kind) {
    case 'sessions': {
      const found = filteredSessions(overlay);
      const empty = overlay.sessions ? messages.sessions.none : messages.sessions.loading;
      const entries = found.map((session) => sessionLine(session, state, messages));
      return listView(overlay, messages.sessions, entries, empty, state.columns, rows, paint);
    }
    case 'models': {
      const found = filteredModels(overlay);
      const empty = overlay.options ? messages.models.none : messages.models.loading;
      const entries = found.map((option) => modelLine(option, messages));
      return listView(overlay, messages.models, entries, empty, state.columns, rows, paint);
    }
    case 'help':
      return helpView(overlay.offset, state, rows, messages, paint);
  }
}

interface Entry {
  readonly main: string;
  readonly details: string;
}

function listView(
  { filter, selected }: { readonly filter: string; readonly selected: number },
  texts: { readonly title: string; readonly keys: string },
  entries: readonly Entry[],
  empty: string,
  columns: number,
  rows: number,
  paint: Paint,
): OverlayView {
  const title = `${texts.title} › `;
  const typed = truncate(filter, Math.max(1, columns - cellWidth(title) - 1));
  const { from, to } = windowAround(selected, entries.length, overlayEntries(rows));
  const shown = entries.slice(from, to).map((entry, index) => entryLine(entry, from + index === selected, columns));
  return {
    cursorColumn: cellWidth(title) + cellWidth(typed),
    lines: [
      paint([span(title, look.heading), span(typed)]),
      ...(entries.length === 0 ? [paint([span(truncate(`  ${empty}`, columns), look.muted)])] : shown.map(paint)),
      paint([span(truncate(texts.keys, columns), look.muted)]),
    ],
  };
}

function entryLine({ main, details }: Entry, isSelected: boolean, columns: number): Line {
  const room = columns - 2;
  const detailWidth = Math.min(cellWidth(details), Math.floor(room / 2));
  const text = padTo(main, Math.max(4, room - detailWidth - 2));
  return [
    span(isSelected ? '❯ ' : '  ', look.accent),
    span(text, isSelected ? look.user : look.plain),
    span(`  ${truncate(details, detailWidth)}`, look.muted),
  ];
}

function sessionLine(session: SessionInfo, { now, columns }: UiState, messages: Messages): Entry {
  const title = session.title ?? (session.preview === '' ? messages.sessions.untitled : session.preview);
  const facts = [
    messages.sessions.messages(session.message_count),
    formatAge(Math.max(0, now - session.last_activity_at), messages),
    ...(columns >= 80 ? [session.cwd] : []),
  ];
  return { main: cleanLine(title), details: cleanLine(facts.join(' · ')) };
}

function modelLine({ provider, model, origin, current }: ModelOption, { models }: Messages): Entry {
  const facts = [provider, models.origin[origin], ...(current ? [models.current] : [])];
  return { main: cleanLine(model), details: cleanLine(facts.join(' · ')) };
}

/** Lines of the help's text. */
export function helpLength(state: UiState, messages: Messages): number {
  return helpBody(state, messages).length;
}

function helpView(offset: number, state: UiState, rows: number, messages: Messages, paint: Paint): OverlayView {
  const { help } = messages;
  const body = helpBody(state, messages);
  const room = overlayEntries(rows);
  const top = Math.max(0, Math.min(offset, body.length - room));
  return {
    cursorColumn: null,
    lines: [
      paint([span(help.title, look.heading)]),
      ...body.slice(top, top + room).map(paint),
      paint([span(truncate(help.keys, state.columns), look.muted)]),
    ],
  };
}

function helpBody(state: UiState, messages: Messages): Line[] {
  const { help } = messages;
  const keyWidth = Math.min(
    Math.floor(state.columns / 2),
    Math.max(...KEY_HELP.map(({ keys }) => cellWidth(keys))) + 2,
  );
  const pair = (name: string, about: string): Line => [
    span(`  ${padTo(name, keyWidth)}`, look.accent),
    span(truncate(about, Math.max(0, state.columns - keyWidth - 2))),
  ];
  return [
    [span(help.commandsTitle, look.strong)],
    ...allCommands(state.hostCommands, messages).map(({ name, arguments: takes, description }) =>
      pair(`/${name}${takes === '' ? '' : ` ${takes}`}`, description),
    ),
    [],
    [span(help.keysTitle, look.strong)],
    ...KEY_HELP.map(({ keys, entry }) => pair(keys, help.entries[entry])),
    [span(truncate(`  ${help.mouse}`, state.columns), look.muted)],
  ];
}
