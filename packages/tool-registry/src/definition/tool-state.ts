/** Names one kind of per-session tool memory and how it begins. */
export interface StateKey<T> {
  readonly id: symbol;
  readonly init: () => T;
}

export function stateKey<T>(name: string, init: () => T): StateKey<T> {
  return { id: Symbol(name), init };
}

/**
 * The memory of a session's tools: where the shell stands, which files were read. Lives as long as the opened session,
 * never durable: no fact that matters after a restart belongs here.
 *
 * @example
 * const shellCwd = stateKey('shellCwd', () => ({ path: '' }));
 * ctx.state.of(shellCwd).path = '/tmp';
 */
export class ToolState {
  readonly #entries = new Map<symbol, unknown>();
  readonly #cleanups: (() => void)[] = [];

  of<T>(key: StateKey<T>): T {
    if (!this.#entries.has(key.id)) this.#entries.set(key.id, key.init());
    return this.#entries.get(key.id) as T;
  }

  /** Runs `cleanup` when the session closes. */
  onClose(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  /** Runs every cleanup once; a failing one does not stop the others. Returns what failed. */
  close(): unknown[] {
    const failures: unknown[] = [];
    for (const cleanup of this.#cleanups.splice(0)) {
      try {
        cleanup();
      } catch (error) {
        failures.push(error);
      }
    }
    return failures;
  }
}
