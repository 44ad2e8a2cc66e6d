import { type Clock, messageOf } from '@hermes/runtime';
import type { TurnEvent, TurnEventBody } from './turn-event.ts';

export type TurnEventListener = (event: TurnEvent) => void;

/**
 * The events of one turn: numbered without a gap and handed to listeners at once. A listener cannot slow the engine down, and one that throws is set aside and reported as the turn's clean-up error.
 * `turn.ended` is the last event.
 */
export class EventStream {
  readonly failures: string[] = [];
  readonly #turnId: string;
  readonly #sessionId: string;
  readonly #clock: Clock;
  readonly #listeners: readonly Set<TurnEventListener>[];
  #seq = 0;
  #ended = false;

  /** The sets are read at each event: a listener that joins one of them hears the turn from then on. */
  constructor(turnId: string, sessionId: string, clock: Clock, ...listeners: readonly Set<TurnEventListener>[]) {
    this.#turnId = turnId;
    this.#sessionId = sessionId;
    this.#clock = clock;
    this.#listeners = listeners;
  }

  emit(body: TurnEventBody): void {
    if (this.#ended) return;
    this.#ended = body.type === 'turn.ended';
    const event: TurnEvent = {
      v: 1,
      seq: ++this.#seq,
      turnId: this.#turnId,
      sessionId: this.#sessionId,
      ts: this.#clock.now(),
      ...body,
    };
    for (const set of this.#listeners) for (const listener of set) this.#deliver(listener, set, event);
  }

  #deliver(listener: TurnEventListener, set: Set<TurnEventListener>, event: TurnEvent): void {
    try {
      listener(event);
    } catch (error) {
      set.delete(listener);
      this.failures.push(`an event listener failed and was set aside: ${messageOf(error)}`);
    }
  }
}
