import type { InputEvent } from './input-event.ts';

/** Characters closer together than this were not typed by hand (CLI spec 8.7: at least 3 within 8 ms). */
const BURST_GAP_MS = 8;
const BURST_CHARACTERS = 3;

/** Enter this soon after a pasted line or a paste belongs to it. */
const QUIET_MS = 120;

/** How long an Enter that ends a burst waits for more of it. */
const HOLD_MS = 60;

/**
 * Keeps text pasted into a terminal without bracketed paste from being submitted line by line. An Enter inside a burst is a
 * new line; one that ends a burst of a single line waits a moment and then counts as Enter, so that programs which type a
 * line and Enter in one go still work. An Enter on the heels of a bracketed paste is dropped.
 *
 * @example
 * const guard = new EnterGuard();
 * guard.push([{ type: 'text', text: 'one' }, { type: 'key', key: 'enter' }, { type: 'text', text: 'two' }], 0);
 * // text "one", text "\n", text "two"
 */
export class EnterGuard {
  #characters = 0;
  #lines = 0;
  #lastText = Number.NEGATIVE_INFINITY;
  #lastPaste = Number.NEGATIVE_INFINITY;
  #heldSince: number | null = null;

  /** When `expire` has to be called; null while nothing is held. */
  get deadline(): number | null {
    return this.#heldSince === null ? null : this.#heldSince + HOLD_MS;
  }

  push(events: readonly InputEvent[], now: number): InputEvent[] {
    return events.flatMap((event) => this.#pass(event, now));
  }

  /** The held Enter was the end of the burst: it submits. */
  expire(): InputEvent[] {
    if (this.#heldSince === null) return [];
    this.#heldSince = null;
    this.#characters = 0;
    return [{ type: 'key', key: 'enter' }];
  }

  #pass(event: InputEvent, now: number): InputEvent[] {
    if (event.type === 'text') return this.#text(event, now);
    if (event.type === 'key' && event.key === 'enter') return this.#enter(event, now);
    if (event.type === 'paste') this.#lastPaste = now;
    return [...this.expire(), event];
  }

  #text(event: InputEvent & { type: 'text' }, now: number): InputEvent[] {
    const continues = now - this.#lastText <= (this.#lines > 0 ? QUIET_MS : BURST_GAP_MS) || this.#heldSince !== null;
    if (!continues) {
      this.#characters = 0;
      this.#lines = 0;
    }
    this.#characters += event.text.length;
    this.#lastText = now;
    if (this.#heldSince === null) return [event];
    this.#heldSince = null;
    this.#lines++;
    return [newLine(), event];
  }

  #enter(event: InputEvent, now: number): InputEvent[] {
    if (now - this.#lastPaste <= QUIET_MS) return [];
    if (this.#heldSince !== null || (this.#lines > 0 && now - this.#lastText <= QUIET_MS)) {
      const released = this.#heldSince === null ? [] : [newLine()];
      this.#heldSince = null;
      this.#lines += 1 + released.length;
      this.#lastText = now;
      return [...released, newLine()];
    }
    if (this.#characters >= BURST_CHARACTERS && now - this.#lastText <= BURST_GAP_MS) {
      this.#heldSince = now;
      return [];
    }
    return [event];
  }
}

function newLine(): InputEvent {
  return { type: 'text', text: '\n' };
}
