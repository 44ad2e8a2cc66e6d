// What a change must pass. Run it through `npm test`, `npm run check` or `npm run bench -- --micro`.
import { STATIC_CHECKS } from './checks.ts';
import { runStaticChecks } from './static-stage.ts';
import { runBenchmarks, runTests } from './vitest-stage.ts';

const [mode = 'test', ...filters] = process.argv.slice(2);

process.exitCode = await run(mode);

async function run(mode: string): Promise<number> {
  if (mode === 'bench') return runBenchmarks(filters);
  // Someone who names tests wants those tests at once.
  const wanted = mode === 'test' && filters.length > 0 ? [] : STATIC_CHECKS;
  const failed = await runStaticChecks(wanted);
  if (mode === 'check') return failed > 0 ? 1 : 0;
  if (failed === 0) return runTests(filters);
  console.log(`0 passed, ${failed} failed`);
  return 1;
}
