import type { RunnableCommand } from '../shell-syntax/invocations.ts';

/** Programs whose purpose is to leave a process behind. */
const DETACHING = new Set(['nohup', 'setsid', 'disown']);

const ADVICE =
  'This tool runs commands in the foreground and waits for them; it has no background mode. Run the command to its end within the time-out, or start, use and stop the process in one command: `server & pid=$!; sleep 2; curl localhost:8080; kill $pid`.';

/**
 * Refuses commands that would leave a process behind (tools spec 3.2): a trailing `&`, `nohup`, `setsid`, `disown`.
 * Undefined when the command stays in the foreground.
 */
export function refuseBackground(commands: readonly RunnableCommand[]): string | undefined {
  const last = [commands.findLast(({ nested }) => !nested), commands.findLast(({ remote }) => !remote)];
  if (last.some((command) => command?.after === '&')) return `Not run: the command ends in "&". ${ADVICE}`;
  const names = commands
    .filter(({ remote }) => !remote)
    .flatMap((command) => [command.program, ...command.wrappers.map(({ program }) => program)]);
  const detaching = names.find((name) => DETACHING.has(name));
  return detaching === undefined ? undefined : `Not run: "${detaching}" would leave a process behind. ${ADVICE}`;
}
