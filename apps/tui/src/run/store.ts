import type { Effect, Env, UiMessage } from '../state/message.ts';
import type { UiState } from '../state/ui-state.ts';
import { update } from '../state/update.ts';

/** Holds the state: messages go in, effects come out, and whoever listens hears of every new state. */
export class Store {
  #state: UiState;
  readonly #env: () => Env;
  readonly #perform: (effect: Effect) => void;
  readonly #listeners = new Set<() => void>();

  constructor(state: UiState, env: () => Env, perform: (effect: Effect) => void) {
    this.#state = state;
    this.#env = env;
    this.#perform = perform;
  }

  readonly get = (): UiState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  dispatch(message: UiMessage): void {
    const { state, effects } = update(this.#state, message, this.#env());
    this.#state = state;
    for (const listener of this.#listeners) listener();
    for (const effect of effects) this.#perform(effect);
  }
}
