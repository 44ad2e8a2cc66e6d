import { ExitCode, HermesError, messageOf, nearest } from '@hermes/runtime';
import type { DoctorContext, DoctorRow } from './check.ts';
import { doctorChecks } from './checks.ts';

/** Runs all checks, or the one named; reads only, uses no network. Throws a usage error for a check nobody knows. */
export async function runDoctor(context: DoctorContext, only?: string): Promise<readonly DoctorRow[]> {
  const chosen = only === undefined ? doctorChecks : doctorChecks.filter(({ id }) => id === only);
  if (chosen.length === 0) {
    const names = doctorChecks.map(({ id }) => id);
    const near = nearest(only ?? '', names, 1);
    throw new HermesError('unknown_check', `There is no check ${only ?? ''}.`, {
      exitCode: ExitCode.usage,
      hints: [near.length > 0 ? `Did you mean ${near.join()}?` : `Checks: ${names.join(', ')}`],
    });
  }
  const rows: DoctorRow[] = [];
  for (const { id, run } of chosen) {
    try {
      rows.push(...(await run(context)).map((row) => ({ id, ...row })));
    } catch (error) {
      rows.push({ id, severity: 'error', detail: `the check itself failed: ${messageOf(error)}`, fix: null });
    }
  }
  return rows;
}
