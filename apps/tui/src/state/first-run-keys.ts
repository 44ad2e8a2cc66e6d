import { firstRunChoices } from '../view/first-run-view.ts';
import { type Env, type Step, step } from './message.ts';
import { openModels } from './overlay-keys.ts';
import type { FirstRun, UiState } from './ui-state.ts';

/** A digit on the empty composer, where the card has that many choices. */
export function chooseByDigit(state: UiState, card: FirstRun, text: string, env: Env): Step | undefined {
  if (!/^[1-9]$/.test(text)) return undefined;
  const index = Number(text) - 1;
  return index < firstRunChoices(card).length ? choose(state, card, index, env) : undefined;
}

export function moveChoice(state: UiState, card: FirstRun, delta: -1 | 1): UiState {
  const count = firstRunChoices(card).length;
  return { ...state, firstRun: { ...card, selected: (card.selected + delta + count) % count } };
}

export function chooseSelected(state: UiState, card: FirstRun, env: Env): Step {
  return choose(state, card, card.selected, env);
}

/** A model found on this machine is kept as the default, because choosing it is the answer to the card; the demo never is. */
function choose(state: UiState, card: FirstRun, index: number, env: Env): Step {
  const choice = firstRunChoices(card)[index];
  switch (choice?.type) {
    case 'model': {
      const { option } = choice;
      return step(state, { type: 'selectModel', requestId: env.newId(), option, persist: option.origin !== 'demo' });
    }
    case 'more':
      return openModels(state, '');
    case 'how':
      return step({ ...state, firstRun: { ...card, page: 'steps', selected: 0 } });
    case 'back':
      return step({ ...state, firstRun: { ...card, page: 'choices', selected: 0 } });
    case 'later':
      return step({ ...state, firstRun: null });
    case undefined:
      return step(state);
  }
}
