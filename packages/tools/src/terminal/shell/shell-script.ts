/**
 * How a shell waits for one command, runs it as if it had been started with it, and tells where it ended up.
 *
 * Life of such a shell: it starts, says on the control channel (its first stderr) that it waits, reads the command from its standard
 * input, points the three standard streams to where a command expects them, evaluates the command, reports its directory on the
 * control channel and exits with the command's status. When the process that started it dies, its input ends and so does it.
 *
 * Rules the texts keep: one line each, so that `set -v` shows nothing of them; no word of the command in `ps`, so that
 * `pkill -f` never hits its own shell; the directory is reported with a trace switched off (`set -x`) and from an EXIT trap, so that
 * `exit 3`, `set -e` and a signal report it too; the status is untouched.
 */
export interface ShellDialect {
  /** The text given to `-c`. */
  readonly waiter: string;
  /** What is written to the shell so that it runs `command`. `ownPipe`: it prints into the pipe it has made itself. */
  readonly request: (command: string, ownPipe: boolean) => string;
}

/** First byte of every message on the control channel; whatever else appears there is noise of starting up. */
export const MESSAGE_START = '\0';

/** The shell has made a pipe, held open for reading as descriptor 9 and for writing as 8, that can carry the output. */
export const READY_WITH_PIPE = 'p';

/** The output goes to the stream that the shell was started with. */
const READY = 's';

/** Said right before the command is evaluated: a shell that ended without it has run nothing. */
export const BEGUN = 'b';

const REPORT_BASH = `{ builtin printf '\\0'; builtin pwd; } 2>/dev/null >&99`;
const REPORT_SH = `{ printf '\\000'; pwd; } 2>/dev/null >&9`;

/**
 * bash on Linux. Node connects children by sockets, and a socket cannot be opened through `/dev/stdout`; so the shell makes a real
 * pipe out of a here-string (bash 5.1 and later) and the parent opens its other end.
 */
export const BASH: ShellDialect = {
  waiter: [
    `exec 99>&2 9<<<''; read -r -u 9`,
    `if [[ -p /dev/fd/9 ]]; then exec 8>/dev/fd/9; printf '\\0${READY_WITH_PIPE}' >&99; else printf '\\0${READY}' >&99; fi`,
    `read -r || exit`,
    `if [[ $REPLY == ${READY}* ]]; then exec 8>&1; fi`,
    `LC_ALL=C IFS= read -r -N "\${REPLY#?}" || exit`,
    `exec 0</dev/null 1>&8 2>&8 8>&- 9<&-; printf '\\0${BEGUN}' >&99`,
    `trap '${REPORT_BASH.replaceAll("'", '"')}' EXIT`,
    `eval "$REPLY"`,
    `{ __status=$?; builtin set +xv; } 2>/dev/null`,
    REPORT_BASH,
    `builtin exit "$__status"`,
  ].join('; '),
  request: (command, ownPipe) => `${ownPipe ? READY_WITH_PIPE : READY}${Buffer.byteLength(command)}\n${command}`,
};

/** The last line of a command sent to a POSIX shell: a command without it was cut off and is not run. */
const END_LINE = '__end_of_command__';

/** Any POSIX shell, and bash where `/dev/stdout` works with sockets or bash is old. */
export const POSIX: ShellDialect = {
  waiter: [
    `exec 9>&2; printf '\\000${READY}' >&9`,
    `__text=$(cat)`,
    `case $__text in *${END_LINE}) __text=\${__text%${END_LINE}} ;; *) exit ;; esac`,
    `exec 0</dev/null 2>&1; printf '\\000${BEGUN}' >&9`,
    `trap '${REPORT_SH.replaceAll("'", '"')}' EXIT`,
    `eval "$__text"`,
    `{ __status=$?; set +xv; } 2>/dev/null`,
    REPORT_SH,
    `exit "$__status"`,
  ].join('; '),
  request: (command) => `${command}\n${END_LINE}`,
};
