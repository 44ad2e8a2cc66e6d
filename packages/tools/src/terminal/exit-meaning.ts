import { constants } from 'node:os';
import type { RunnableCommand } from '../shell-syntax/invocations.ts';

/** Non-zero statuses that are answers, not failures, by program. */
const MEANINGS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  grep: { 1: 'no lines matched (not an error)' },
  egrep: { 1: 'no lines matched (not an error)' },
  fgrep: { 1: 'no lines matched (not an error)' },
  zgrep: { 1: 'no lines matched (not an error)' },
  rg: { 1: 'no lines matched (not an error)' },
  ag: { 1: 'no lines matched (not an error)' },
  diff: { 1: 'the inputs differ (not an error)', 2: 'diff itself failed' },
  cmp: { 1: 'the inputs differ (not an error)' },
  test: { 1: 'the condition is false (not an error)' },
  '[': { 1: 'the condition is false (not an error)' },
  find: { 1: 'some folders could not be read' },
  pgrep: { 1: 'no process matched (not an error)' },
  which: { 1: 'no such program on PATH' },
  command: { 1: 'no such program on PATH' },
  curl: {
    6: 'the host name could not be resolved',
    7: 'the connection was refused',
    22: 'the server answered with an error status',
    28: 'the transfer timed out',
    60: 'the server certificate could not be verified',
  },
  timeout: { 124: 'the inner command ran out of its time' },
};

/** Meanings of any program's status, by the shell's own rules. */
const SHELL_MEANINGS: Readonly<Record<number, string>> = {
  126: 'found but not executable',
  127: 'command not found',
};

const SIGNAL_MEANINGS: Readonly<Record<string, string>> = {
  SIGKILL: 'killed (SIGKILL), often because memory ran out',
  SIGSEGV: 'crashed: invalid memory access (SIGSEGV)',
  SIGABRT: 'crashed: aborted itself (SIGABRT)',
  SIGPIPE: 'stopped because its output was no longer read (SIGPIPE)',
  SIGTERM: 'asked to end (SIGTERM)',
  SIGFPE: 'crashed: arithmetic error (SIGFPE)',
  SIGILL: 'crashed: illegal instruction (SIGILL)',
  SIGBUS: 'crashed: bad memory access (SIGBUS)',
};

/** Commands before the last one that do not take the blame for a chain's status. */
const SILENT = new Set(['cd', 'pushd', 'export', 'set', 'source', '.', 'true', 'echo', 'printf', 'mkdir', 'shopt']);

/**
 * What a non-zero exit status means, when it is known: an answer of the last program, a rule of the shell, a signal.
 *
 * @example
 * exitMeaning(1, [grepCommand]); // 'grep: no lines matched (not an error)'
 */
export function exitMeaning(code: number, commands: readonly RunnableCommand[]): string | undefined {
  if (code === 0) return undefined;
  const last = commands.at(-1);
  const named = [last, ...(last?.wrappers ?? [])].find((one) => one && MEANINGS[one.program]?.[code] !== undefined);
  if (named && lastDecides(commands)) return `${named.program}: ${MEANINGS[named.program]?.[code] ?? ''}`;
  if (SHELL_MEANINGS[code] !== undefined) return SHELL_MEANINGS[code];
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return signal === undefined ? undefined : SIGNAL_MEANINGS[signal];
}

/** Whether the status can only come from the last command: the others are plain preparation or pipe into it. */
function lastDecides(commands: readonly RunnableCommand[]): boolean {
  return commands.slice(0, -1).every(({ program, after }) => SILENT.has(program) || after === '|' || after === ';');
}
