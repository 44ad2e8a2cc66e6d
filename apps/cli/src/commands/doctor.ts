import { type DoctorRow, runDoctor, type Severity } from '@hermes/host';
import { ExitCode } from '@hermes/runtime';
import { writeJson, writeOut } from '../output/write-out.ts';
import type { CallContext } from '../program/call-context.ts';

const GLYPHS: Record<Severity, string> = { ok: '✓', warning: '⚠', error: '✗', info: '·' };

/** `hermes doctor`: what is right and wrong with this installation. Exit code 1 when something is wrong. */
export async function doctor(context: CallContext, flags: { json?: boolean; only?: string }): Promise<number> {
  const rows = await runDoctor({ scope: context.scope, env: context.env, terminal: screen() }, flags.only);
  if (flags.json) await writeJson(rows.map((row) => ({ ...row, fixable: false })));
  else await writeOut(`${rows.map(lineOf).join('\n')}\n`);
  return rows.some((row) => row.severity === 'error') ? ExitCode.failed : ExitCode.ok;
}

function lineOf({ id, severity, detail, fix }: DoctorRow): string {
  const line = `${GLYPHS[severity]} ${id.padEnd(12)} ${detail}`;
  return fix === null ? line : `${line}\n  ${''.padEnd(12)} → ${fix}`;
}

function screen() {
  const { stdout } = process;
  if (!stdout.isTTY) return undefined;
  return { columns: stdout.columns, rows: stdout.rows, colors: 2 ** stdout.getColorDepth() };
}
