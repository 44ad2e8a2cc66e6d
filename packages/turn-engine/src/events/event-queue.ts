import type { TurnEvent } from './turn-event.ts';

/** Events for one reader that pulls them at its own pace; ends after `turn.ended`. */
export class EventQueue implements AsyncIterable<TurnEvent> {
  readonly #waiting: TurnEvent[] = [];
  #wake: (() => void) | undefined;

  readonly push = (event: TurnEvent): void => {
    this.#waiting.push(event);
    this.#wake?.();
  };

  async *[Symbol.asyncIterator](): AsyncGenerator<TurnEvent> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event) {
        yield event;
        if (event.type === 'turn.ended') return;
      } else {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await promise;
      }
    }
  }
}
