import { existsSync } from 'node:fs';
import type { ToolContext } from '@hermes/tool-registry';
import { CapturedOutput } from './output/captured-output.ts';
import { endProcessTree } from './process-tree.ts';
import { ShellPool } from './shell/shell-pool.ts';
import { BASH, POSIX, type ShellDialect } from './shell/shell-script.ts';
import { type ShellExit, ShellNotStarted, WaitingShell } from './shell/waiting-shell.ts';

/** How a command came to its end. */
export type CommandEnd =
  | { readonly kind: 'exited'; readonly exit: ShellExit }
  /** Ended because its time was over; `exit` is missing when it did not die of it. */
  | { readonly kind: 'timeout'; readonly exit: ShellExit | undefined }
  /** The call was aborted; the command may still be dying. */
  | { readonly kind: 'interrupted'; readonly exit: ShellExit | undefined };

export interface CommandRun {
  readonly end: CommandEnd;
  readonly output: string;
  readonly lines: number;
}

/** After a time-out the shell has this long to die: TERM, 5 s, KILL, and a little for the system (tools spec 3.2). */
const TIMEOUT_DEATH_MS = 6000;

/** An aborted call answers within 2 s, so it waits less than that for the shell to die (turn spec 6). */
const ABORT_DEATH_MS = 1200;

/**
 * Runs a command in the session's shell at `cwd` and waits for its end, its time-out or the abort of the call. A command that has
 * begun is never run again.
 *
 * @throws ShellNotStarted when no shell came up; then nothing was run.
 */
export async function runCommand(
  command: string,
  cwd: string,
  timeoutMs: number,
  ctx: ToolContext,
): Promise<CommandRun> {
  const pool = ShellPool.of(ctx.state);
  const place = { ...shellHere(), cwd, env: ctx.childEnv };
  const spare = pool.takeSpare(place);
  if (!spare) return await runIn(new WaitingShell(place), command, timeoutMs, ctx);
  try {
    return await runIn(spare, command, timeoutMs, ctx);
  } catch (error) {
    // The spare had died unnoticed, and it is certain that nothing was run.
    if (error instanceof ShellNotStarted) return await runIn(new WaitingShell(place), command, timeoutMs, ctx);
    throw error;
  }
}

async function runIn(shell: WaitingShell, command: string, timeoutMs: number, ctx: ToolContext): Promise<CommandRun> {
  const pool = ShellPool.of(ctx.state);
  const output = new CapturedOutput(ctx.clock, (text) => ctx.progress(text));
  const exited = shell.run(command, (bytes) => output.write(bytes));
  exited.then(
    ({ leftover }) => leftover && pool.adopt(leftover),
    () => undefined,
  );
  try {
    const end = await untilEnd(exited, shell, timeoutMs, ctx);
    return { end, output: output.close(), lines: output.lines };
  } finally {
    output.close();
  }
}

/** Starts the shell of the next command at `cwd`. */
export function prepareNext(cwd: string, ctx: ToolContext): void {
  ShellPool.of(ctx.state).prepare({ ...shellHere(), cwd, env: ctx.childEnv });
}

/** bash where there is one, else the system's shell. */
function shellHere(): { program: string; dialect: ShellDialect } {
  if (!existsSync('/bin/bash')) return { program: '/bin/sh', dialect: POSIX };
  return { program: '/bin/bash', dialect: process.platform === 'linux' ? BASH : POSIX };
}

async function untilEnd(
  exited: Promise<ShellExit>,
  shell: WaitingShell,
  timeoutMs: number,
  ctx: ToolContext,
): Promise<CommandEnd> {
  const settled = new AbortController();
  const first = await Promise.race([
    exited,
    ctx.clock.sleep(timeoutMs, settled.signal).then(
      () => 'timeout' as const,
      () => new Promise<never>(() => undefined),
    ),
    aborted(ctx.signal, settled.signal),
  ]).finally(() => settled.abort());
  if (first !== 'timeout' && first !== 'interrupted') return { kind: 'exited', exit: first };
  if (shell.pid !== undefined) void endProcessTree(shell.pid, ctx.clock).catch(() => undefined);
  const grace = first === 'timeout' ? TIMEOUT_DEATH_MS : ABORT_DEATH_MS;
  const over = new AbortController();
  const exit = await Promise.race([
    exited,
    ctx.clock.sleep(grace, over.signal).catch(() => undefined),
    ...(first === 'timeout' ? [aborted(ctx.signal, over.signal).then(() => undefined)] : []),
  ]).finally(() => over.abort());
  return { kind: first, exit: exit ?? undefined };
}

/** Resolves when `signal` aborts; never when `until` aborts first. */
function aborted(signal: AbortSignal, until: AbortSignal): Promise<'interrupted'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('interrupted');
    else signal.addEventListener('abort', () => resolve('interrupted'), { once: true, signal: until });
  });
}
