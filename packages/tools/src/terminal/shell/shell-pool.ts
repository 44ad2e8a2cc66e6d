import type { Readable } from 'node:stream';
import { type StateKey, stateKey, type ToolState } from '@hermes/tool-registry';
import { type ShellPlace, WaitingShell } from './waiting-shell.ts';

/** A spare shell that was not needed for so long is ended; models rarely think longer. */
const SPARE_LIFE_MS = 120_000;

/** Pause between two reads of output that nobody looks at any more. */
const DISCARD_PAUSE_MS = 50;

/** The shells of one session: at most one that waits for the next command, and the output of processes left behind. */
export class ShellPool {
  readonly #leftovers = new Set<Readable>();
  #spare: WaitingShell | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** The pool of a session; closed together with it. */
  static of(state: ToolState): ShellPool {
    const slot = state.of(POOL);
    if (!slot.pool) {
      const pool = new ShellPool();
      slot.pool = pool;
      state.onClose(() => pool.close());
    }
    return slot.pool;
  }

  /** The spare shell when it stands at `place`; its owner is now the caller. */
  takeSpare(place: ShellPlace): WaitingShell | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    clearTimeout(this.#timer);
    if (spare?.fits(place)) return spare;
    spare?.discard();
    return undefined;
  }

  /** Starts a shell for the next command once the result has gone out, so that starting it overlaps with the model's thinking. */
  prepare(place: ShellPlace): void {
    if (this.#closed) return;
    this.#dropSpare();
    this.#timer = setTimeout(() => this.#startSpare(place)).unref();
  }

  /**
   * Takes over the output of processes that outlived their command. It is read slowly and forgotten: closing it would kill them
   * at their next line, not reading it would stop them.
   */
  adopt(leftover: Readable): void {
    if (this.#closed) {
      leftover.destroy();
      return;
    }
    this.#leftovers.add(leftover);
    leftover.once('close', () => this.#leftovers.delete(leftover));
    if ('unref' in leftover && typeof leftover.unref === 'function') leftover.unref();
    leftover.on('data', () => {
      leftover.pause();
      setTimeout(() => leftover.resume(), DISCARD_PAUSE_MS).unref();
    });
  }

  close(): void {
    this.#closed = true;
    this.#dropSpare();
    for (const leftover of this.#leftovers) leftover.destroy();
    this.#leftovers.clear();
  }

  #startSpare(place: ShellPlace): void {
    try {
      this.#spare = new WaitingShell(place);
    } catch {
      return;
    }
    this.#spare.unref();
    this.#timer = setTimeout(() => this.#dropSpare(), SPARE_LIFE_MS).unref();
  }

  #dropSpare(): void {
    clearTimeout(this.#timer);
    this.#spare?.discard();
    this.#spare = undefined;
  }
}

const POOL: StateKey<{ pool?: ShellPool }> = stateKey('shellPool', () => ({}));
