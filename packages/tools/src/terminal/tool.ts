import { isAbsolute, join, resolve } from 'node:path';
import type { JsonObject } from '@hermes/providers';
import { abortReasonOf } from '@hermes/runtime';
import type { ToolContext, ToolDefinition, ToolOutcome } from '@hermes/tool-registry';
import { flagArgument, numberArgument, textArgument } from '../arguments/arguments.ts';
import { counted, firstLine, refused, result } from '../result/result.ts';
import {
  existingDirectory,
  isDirectory,
  liveDirectory,
  moveTo,
  userHome,
} from '../session-directory/session-directory.ts';
import type { RunnableCommand } from '../shell-syntax/invocations.ts';
import { exitMeaning } from './exit-meaning.ts';
import { refuseBackground } from './foreground-guard.ts';
import { refuseCommand } from './refusal/refuse-command.ts';
import { type CommandRun, prepareNext, runCommand } from './run-command.ts';
import { ShellNotStarted } from './shell/waiting-shell.ts';
import { signalNumber } from './signal-number.ts';

/** Seconds a command may run: when neither the call nor the settings say, and at most (tools spec 3.2). */
const DEFAULT_TIMEOUT_SECONDS = 180;
const MAX_TIMEOUT_SECONDS = 600;

/** Room beyond the longest command for ending it. */
const DEADLINE_SECONDS = MAX_TIMEOUT_SECONDS + 15;

const EXIT_TIMEOUT = 124;
const EXIT_INTERRUPTED = 130;
const EXIT_NOT_STARTED = -1;

/** Runs a shell command and waits for it. */
export const terminal: ToolDefinition = {
  name: 'terminal',
  toolset: 'terminal',
  description:
    'Run a bash command and wait for it. Returns output (stdout and stderr together, at most 50,000 chars: beginning and end) and exit_code. Each command is a new shell, but the working directory carries over to the next. Foreground only: no background mode, no input, no terminal to type into. To read, search or edit files use read_file, search_files, write_file and patch.',
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'The command, as for bash -c.' },
      timeout: {
        type: 'number',
        description: 'Seconds until it is stopped, at most 600. Leave it out for the usual limit.',
      },
      workdir: {
        type: 'string',
        description: 'Existing directory to run in, instead of where the last command ended.',
      },
    },
    required: ['command'],
  },
  parallel: 'barrier',
  effect: 'unknown',
  deadlineSeconds: DEADLINE_SECONDS,
  handler: runTerminal,
  summarize: (args) => firstLine(textArgument(args, 'command') ?? ''),
};

async function runTerminal(args: JsonObject, ctx: ToolContext): Promise<ToolOutcome> {
  const command = textArgument(args, 'command') ?? '';
  const timeout = numberArgument(args, 'timeout', DEFAULT_TIMEOUT_SECONDS);
  const problem = argumentProblem(args, command, timeout);
  if (problem !== undefined) return notRun(problem);
  const place = workingDirectory(args, ctx);
  if ('error' in place) return notRun(place.error);
  const verdict = refuseCommand(command, { home: userHome(ctx), cwd: place.path });
  if ('error' in verdict)
    return notRun(verdict.error, { approved: false, category: verdict.category, outcome: 'blocked' });
  const background = refuseBackground(verdict.analysis.commands);
  if (background !== undefined) return notRun(background);
  if (ctx.signal.aborted)
    return notRun(`Not run: the call was interrupted before it began (${abortReasonOf(ctx.signal).message}).`);
  return await execute(command, timeout, place, verdict.analysis.commands, ctx);
}

async function execute(
  command: string,
  timeout: number,
  place: WorkingDirectory,
  commands: readonly RunnableCommand[],
  ctx: ToolContext,
): Promise<ToolOutcome> {
  let run: CommandRun;
  try {
    run = await runCommand(command, place.path, timeout * 1000, ctx);
  } catch (error) {
    if (!(error instanceof ShellNotStarted)) throw error;
    return notRun(error.message);
  }
  const end = run.end.exit?.cwd;
  if (end !== undefined) moveTo(ctx, end);
  const next = existingDirectory(end ?? place.path);
  prepareNext(next, ctx);
  return describe(run, timeout, place, commands, ctx);
}

function argumentProblem(args: JsonObject, command: string, timeout: number): string | undefined {
  if (command.trim() === '') return 'Not run: the command is empty.';
  if (command.includes('\0')) return 'Not run: the command contains a NUL character. Send it without.';
  if (flagArgument(args, 'background') || flagArgument(args, 'pty'))
    return 'Not run: this tool has no background and no pty mode. Send the command without them; it runs in the foreground.';
  if (timeout <= 0) return `Not run: timeout must be more than 0 seconds, not ${timeout}.`;
  if (timeout > MAX_TIMEOUT_SECONDS)
    return `Not run: timeout is at most ${MAX_TIMEOUT_SECONDS} seconds, not ${timeout}. Split the work into shorter commands, or let it write its progress to a file and go on in the next call.`;
  return undefined;
}

interface WorkingDirectory {
  readonly path: string;
  /** Told to the model when the command runs elsewhere than it may think. */
  readonly note?: string;
}

function workingDirectory(args: JsonObject, ctx: ToolContext): WorkingDirectory | { error: string } {
  const live = liveDirectory(ctx);
  const asked = textArgument(args, 'workdir');
  if (asked === undefined || asked === '') {
    if (isDirectory(live)) return { path: live };
    const path = existingDirectory(live);
    return { path, note: `${live} no longer exists; the command ran in ${path}.` };
  }
  const expanded = asked === '~' || asked.startsWith('~/') ? join(userHome(ctx), asked.slice(1)) : asked;
  const path = isAbsolute(expanded) ? expanded : resolve(live, expanded);
  if (!path.includes('\0') && isDirectory(path)) return { path };
  return {
    error: `Not run: workdir ${path} is not an existing directory. Create it first, or leave workdir out to run in ${live}.`,
  };
}

function notRun(error: string, details: JsonObject = {}): ToolOutcome {
  return refused(error, { output: '', exit_code: EXIT_NOT_STARTED, ...details });
}

function describe(
  run: CommandRun,
  timeout: number,
  place: WorkingDirectory,
  commands: readonly RunnableCommand[],
  ctx: ToolContext,
): ToolOutcome {
  const { end, output } = run;
  const moved = end.exit?.cwd !== undefined && end.exit.cwd !== place.path ? { cwd: end.exit.cwd } : {};
  const note = place.note === undefined ? {} : { note: place.note };
  const size = counted(run.lines, 'line');
  if (end.kind !== 'exited') {
    const [code, what, preview] =
      end.kind === 'timeout'
        ? [EXIT_TIMEOUT, `Stopped: it ran longer than ${timeout} s.`, `stopped after ${timeout} s · ${size}`]
        : [EXIT_INTERRUPTED, `Interrupted: ${abortReasonOf(ctx.signal).message}.`, `interrupted · ${size}`];
    const dying = end.exit === undefined ? ' It is still being ended.' : '';
    const error = `${what}${dying} What it had done by then stays done: look before you run it again.`;
    return result({ output, exit_code: code, error, ...moved, ...note }, { effect: 'unknown', preview });
  }
  const code = end.exit.code ?? 128 + signalNumber(end.exit.signal);
  const meaning = exitMeaning(code, commands);
  const explained = meaning === undefined ? {} : { exit_code_meaning: meaning };
  return result(
    { output, exit_code: code, error: null, ...explained, ...moved, ...note },
    { effect: 'done', preview: `exit ${code} · ${size}` },
  );
}
