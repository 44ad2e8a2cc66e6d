import type { HostEvent } from '@hermes/host/rpc';

/** Text that arrives within this time is drawn together (CLI spec 12). */
const BATCH_MS = 16;

/** Collects events for a moment, so that a stream of small pieces of text costs one frame each 16 ms. Order is kept. */
export class EventBatch {
  readonly #deliver: (events: readonly HostEvent[]) => void;
  #events: HostEvent[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(deliver: (events: readonly HostEvent[]) => void) {
    this.#deliver = deliver;
  }

  add(event: HostEvent): void {
    const last = this.#events.at(-1);
    const merged = last && mergeText(last, event);
    if (merged) this.#events[this.#events.length - 1] = merged;
    else this.#events.push(event);
    this.#timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  /** Delivers at once what was collected. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#events.length === 0) return;
    const events = this.#events;
    this.#events = [];
    this.#deliver(events);
  }
}

/** Two pieces of the same stream as one; undefined when they are of different streams. */
function mergeText(first: HostEvent, second: HostEvent): HostEvent | undefined {
  if (first.session_id !== second.session_id) return undefined;
  if (first.type === 'message.delta' && second.type === 'message.delta') {
    if (first.payload.turn_id !== second.payload.turn_id) return undefined;
    return { ...second, payload: { ...second.payload, text: first.payload.text + second.payload.text } };
  }
  if (first.type === 'reasoning.delta' && second.type === 'reasoning.delta') {
    if (first.payload.turn_id !== second.payload.turn_id) return undefined;
    return { ...second, payload: { ...second.payload, text: first.payload.text + second.payload.text } };
  }
  return undefined;
}
