import type { BudgetReport } from '../result/turn-result.ts';

/**
 * The one counter that ends a turn.
 *
 * @example
 * const budget = new Budget(3);
 * while (budget.consume()) await callModel();
 */
export class Budget {
  readonly limit: number;
  #used = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  /** Takes one iteration; false when none is left. */
  consume(): boolean {
    if (this.#used >= this.limit) return false;
    this.#used++;
    return true;
  }

  report(): BudgetReport {
    return { used: this.#used, limit: this.limit };
  }
}
