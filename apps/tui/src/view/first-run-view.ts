import type { Messages } from '../language/messages.ts';
import type { FirstRun, ModelOption, UiState } from '../state/ui-state.ts';
import { clean } from '../text/clean.ts';
import { type Line, look, type Paint, span } from '../text/style.ts';
import { truncate } from '../text/width.ts';
import { wrapText } from '../text/wrap.ts';

/** Models offered by name; the rest are in the picker. */
const SHOWN_MODELS = 5;

export type FirstRunChoice =
  | { readonly type: 'model'; readonly option: ModelOption }
  | { readonly type: 'more' }
  | { readonly type: 'how' }
  | { readonly type: 'back' }
  | { readonly type: 'later' };

/** What the card offers: models found, then the demo, then how to go on (CLI spec 6.2). */
export function firstRunChoices({ page, options }: FirstRun): readonly FirstRunChoice[] {
  if (page === 'steps') return [{ type: 'back' }, { type: 'later' }];
  const all = options ?? [];
  const real = all.filter(({ origin }) => origin !== 'demo');
  const demo = all.filter(({ origin }) => origin === 'demo');
  return [
    ...[...real.slice(0, SHOWN_MODELS), ...demo].map((option): FirstRunChoice => ({ type: 'model', option })),
    ...(real.length > SHOWN_MODELS ? [{ type: 'more' } as const] : []),
    { type: 'how' },
    { type: 'later' },
  ];
}

export function firstRunView(card: FirstRun, state: UiState, messages: Messages, paint: Paint): string[] {
  const { columns } = state;
  const choices = firstRunChoices(card).map((choice, index): Line => {
    const isSelected = index === card.selected;
    const text = truncate(`${index + 1} ${choiceText(choice, messages)}`, columns - 2);
    return [span(isSelected ? '❯ ' : '  ', look.accent), span(text, isSelected ? look.user : look.plain)];
  });
  const above =
    card.page === 'steps'
      ? [...problem(state), ...messages.firstRun.steps(state.home)].flatMap((text) => wrapText(text, columns))
      : card.options === null
        ? wrapText(messages.firstRun.probing, columns, look.muted)
        : [];
  return [
    ...wrapText(messages.firstRun.title, columns, look.warning),
    ...above,
    ...choices,
    [span(truncate(messages.firstRun.keys, columns), look.muted)],
  ].map(paint);
}

function problem({ routeProblem }: UiState): string[] {
  return routeProblem === null ? [] : clean(routeProblem).split('\n');
}

function choiceText(choice: FirstRunChoice, { firstRun }: Messages): string {
  if (choice.type !== 'model') return firstRun[choice.type];
  const { model, provider, origin, base_url: address } = choice.option;
  if (origin === 'demo') return firstRun.demo;
  return origin === 'local' ? `${model} · ${provider}, ${firstRun.local} (${address})` : `${model} · ${provider}`;
}
