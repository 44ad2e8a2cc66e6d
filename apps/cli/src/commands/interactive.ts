import { openHost } from '@hermes/host';
import { ExitCode, HermesError, homePaths, loadSecrets } from '@hermes/runtime';
import { type Config, loadConfig } from '@hermes/runtime/config';
import { resumeReference } from '../chat/open-session.ts';
import { type CallContext, hostOptions } from '../program/call-context.ts';

/** Rows and columns below which the full-screen interface gives way to the line interface. */
const LEAST_COLUMNS = 30;
const LEAST_ROWS = 8;

/** `hermes` on a terminal: the full-screen interface, or the line interface where that was chosen or is all that works. */
export async function interactive(context: CallContext, query: string | undefined): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new HermesError('not_a_terminal', 'This needs a terminal: stdin or stdout is not one.', {
      exitCode: ExitCode.usage,
      hints: ['For one answer: hermes -z "your question"', 'For a pipe: echo "your question" | hermes chat --oneshot'],
    });
  }
  const display = await displaySettings(context);
  if (wantsTui(context, display)) {
    const { tui } = await import('./tui.ts');
    const started = await tui(context, display.language, query);
    if (started.ok) return started.exitCode;
    process.stderr.write(`hermes: ${started.problem} Using the line interface.\n`);
  }
  const { repl } = await import('./repl.ts');
  const host = await openHost(hostOptions(context, 'cli'));
  try {
    return await repl(host, context, await resumeReference(host, context), query);
  } finally {
    await host.close();
  }
}

async function displaySettings({ env, scope }: CallContext): Promise<Config['display']> {
  const { secrets } = loadSecrets({ path: homePaths(scope.home).env, shell: env });
  return (await loadConfig({ home: scope.home, secrets, env })).config.display;
}

function wantsTui({ flags, env }: CallContext, display: Config['display']): boolean {
  if (flags.cli) return false;
  if (env.TERM === 'dumb') return false;
  if ((process.stdout.columns ?? 0) < LEAST_COLUMNS || (process.stdout.rows ?? 0) < LEAST_ROWS)
    return flags.tui ?? false;
  return flags.tui === true || display.interface === 'tui';
}
