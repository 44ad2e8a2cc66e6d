import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, toolScript } from './repository.ts';
import { resultLine } from './static-stage.ts';

/**
 * Runs the tests of every package and prints `N passed, N failed` as the last line of all.
 *
 * @param filters what vitest takes: parts of file paths, or its options
 * @returns 0 when all passed
 */
export async function runTests(filters: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-tests-'));
  const summary = process.env.HERMES_TEST_SUMMARY ?? join(folder, 'summary');
  const started = performance.now();
  const status = await vitest(['run', ...filters], { ...process.env, HERMES_TEST_SUMMARY: summary });
  const line = closingLine(summary, status);
  rmSync(folder, { recursive: true, force: true });
  console.log(resultLine('tests', status === 0, performance.now() - started));
  console.log(line);
  return status;
}

/** Runs the benchmarks that stand beside the sources (`*.bench.ts`). */
export function runBenchmarks(filters: readonly string[]): Promise<number> {
  return vitest(['bench', '--run', ...filters], process.env);
}

/** A run that broke before it could count, or that failed outside every test, must not read like a pass. */
function closingLine(summary: string, status: number): string {
  const counted = existsSync(summary) ? readFileSync(summary, 'utf8').trim() : '0 passed, 0 failed';
  return status === 0 ? counted : counted.replace(/ 0 failed$/, ' 1 failed');
}

function vitest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const config = ['--config', 'tooling/vitest/vitest.config.ts'];
  const [command = 'run', ...rest] = args;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [toolScript('vitest'), command, ...config, ...rest], {
      cwd: ROOT,
      env,
      stdio: 'inherit',
    });
    const hold = () => {};
    const passOn = (signal: NodeJS.Signals) => void child.kill(signal);
    process.on('SIGINT', hold).on('SIGTERM', passOn).on('SIGHUP', passOn);
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
