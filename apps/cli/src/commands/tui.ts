import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { lineTransport } from '@hermes/host/rpc';
import { messageOf } from '@hermes/runtime';
import type { BackendConnection } from '@hermes/tui';
import { resumeReference } from '../chat/open-session.ts';
import type { CallContext } from '../program/call-context.ts';
import { VERSION } from '../program/version.ts';
import { writeBreadcrumb } from '../terminal/breadcrumb.ts';

export type TuiEnd =
  | { readonly ok: true; readonly exitCode: number }
  | { readonly ok: false; readonly problem: string };

/** Starts the full-screen interface; its backend is a child of its own, so that drawing never waits for work. */
export async function tui(context: CallContext, language: string, query: string | undefined): Promise<TuiEnd> {
  const { flags, env, scope, cwd } = context;
  try {
    const { runTui } = await import('@hermes/tui');
    const resume = await resumeReference(undefined, context);
    const { exitCode, sessionId } = await runTui({
      connect: () => startBackend(context),
      cwd,
      version: VERSION,
      profile: scope.profile,
      language: flags.lang ?? language,
      stdin: process.stdin,
      stdout: process.stdout,
      env,
      noColor: flags.color === false,
      ...(resume === undefined ? {} : { resume }),
      ...(query === undefined ? {} : { initialPrompt: query }),
    });
    if (sessionId !== undefined) await writeBreadcrumb(context, sessionId);
    return { ok: true, exitCode };
  } catch (error) {
    return { ok: false, problem: `The full-screen interface could not start (${messageOf(error)}).` };
  }
}

/** Lines of the backend's stderr that are kept to say why it ended. */
const STDERR_LINES = 20;

function startBackend({ flags, env, scope, cwd }: CallContext): BackendConnection {
  const args = ['serve', '--stdio', ...backendFlags(flags)];
  const child = spawn(process.execPath, [...process.execArgv, mainFile(), ...args], {
    cwd,
    env: { ...env, HERMES_HOME: scope.home },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lines.push(...text.split('\n').filter((line) => line.trim() !== ''));
    lines.splice(0, lines.length - STDERR_LINES);
  });
  return {
    transport: lineTransport(child.stdout, child.stdin),
    kill: () => child.kill('SIGKILL'),
    onExit: (listener) => {
      child.once('error', (error) => listener(error.message));
      child.once('close', (code, signal) => listener([signal ?? `exit ${code}`, ...lines.slice(0, 3)].join(': ')));
    },
  };
}

function backendFlags(flags: CallContext['flags']): string[] {
  return [
    ...(flags.demo ? ['--demo'] : []),
    ...(flags.ignoreRules ? ['--ignore-rules'] : []),
    ...(['model', 'provider', 'toolsets', 'maxTurns'] as const).flatMap((name) => {
      const value = flags[name];
      return value === undefined ? [] : [`--${name === 'maxTurns' ? 'max-turns' : name}`, value];
    }),
  ];
}

/** The file this process was started with: the backend is the same program. */
function mainFile(): string {
  return process.argv[1] ?? fileURLToPath(import.meta.url);
}
