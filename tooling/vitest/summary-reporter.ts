import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Writes `N passed, N failed` to a file when a run ends. A file that could not be loaded counts as one failure: the
 * tests in it did not run.
 */
export class SummaryReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) => Array.from(module.children.allTests(), (test) => test.result().state));
    const passed = states.filter((state) => state === 'passed').length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const failed = states.filter((state) => state === 'failed').length + broken;
    writeFileSync(this.#file, `${passed} passed, ${failed} failed\n`);
  }
}
