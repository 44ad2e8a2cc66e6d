import { spawn } from 'node:child_process';
import type { Check } from './checks.ts';
import { ROOT } from './repository.ts';

interface Result {
  readonly check: Check;
  readonly passed: boolean;
  readonly output: string;
}

/** The tools use several threads themselves; more than two at once only makes them wait for each other. */
const AT_ONCE = 2;

/**
 * Runs the checks, prints a line for each as it ends and then the output of those that failed.
 *
 * @returns how many failed
 */
export async function runStaticChecks(checks: readonly Check[]): Promise<number> {
  const waiting = [...checks];
  const failures: Result[] = [];
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const started = performance.now();
      const result = await runCheck(check);
      console.log(resultLine(check.name, result.passed, performance.now() - started));
      if (!result.passed) failures.push(result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const failure of failures) console.log(report(failure));
  return failures.length;
}

/** One line of the list of checks, as in `ok      lint     0.8 s`. */
export function resultLine(name: string, passed: boolean, milliseconds: number): string {
  return `${passed ? 'ok    ' : 'FAILED'}  ${name.padEnd(8)} ${(milliseconds / 1000).toFixed(1)} s`;
}

function runCheck(check: Check): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, check.args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ check, passed: code === 0, output: Buffer.concat(chunks).toString('utf8') });
    });
  });
}

function report({ check, output }: Result): string {
  return [`\n── ${check.name} ──`, output.trimEnd(), ...(check.remedy === undefined ? [] : [check.remedy]), ''].join(
    '\n',
  );
}
