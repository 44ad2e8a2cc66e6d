/** How a program that runs another program reads its own arguments. */
interface Wrapper {
  /** Options that take the next argument as their value. */
  readonly values: readonly string[];
  /** Arguments of its own before the program: a duration, a directory. */
  readonly positional?: number;
  /** `NAME=value` arguments before the program are assignments. */
  readonly assignments?: true;
  /** Options that make it ask about the program instead of running it. */
  readonly queries?: readonly string[];
}

/** Programs that run the program named in their arguments (tools spec 11.4). */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    values: ['-u', '-g', '-p', '-C', '-h', '-T', '-U', '-r', '-t', '-D', '-R', '--user', '--group'],
    assignments: true,
    queries: ['-l', '-v', '-V'],
  },
  doas: { values: ['-u', '-C'] },
  env: { values: ['-u', '-C', '-S', '--unset', '--chdir', '--split-string'], assignments: true },
  command: { values: [], queries: ['-v', '-V'] },
  builtin: { values: [] },
  exec: { values: ['-a'] },
  nohup: { values: [], queries: ['--help', '--version'] },
  setsid: { values: [] },
  time: { values: ['-f', '-o'] },
  nice: { values: ['-n', '--adjustment'] },
  ionice: { values: ['-c', '-n', '-p', '--class', '--classdata'], queries: ['-p'] },
  chrt: { values: ['-p', '-T', '-P', '-D'], positional: 1, queries: ['-p', '-m'] },
  taskset: { values: [], positional: 1, queries: ['-p'] },
  timeout: { values: ['-s', '-k', '--signal', '--kill-after'], positional: 1 },
  stdbuf: { values: ['-i', '-o', '-e'] },
  chroot: { values: [], positional: 1 },
  xargs: {
    values: [
      '-I',
      '-i',
      '-n',
      '-P',
      '-L',
      '-l',
      '-s',
      '-d',
      '-E',
      '-a',
      '--max-args',
      '--max-procs',
      '--delimiter',
      '--arg-file',
    ],
  },
  busybox: { values: [] },
  toybox: { values: [] },
};

const ASSIGNMENT = /^[A-Za-z_]\w*=/u;

/** Folders whose programs are the system's own, so that `/sbin/reboot` is `reboot` and `./reboot` is not. */
const SYSTEM_PROGRAM = /^\/(?:usr\/)?(?:local\/)?s?bin\/([^/]+)$/u;

/** One program run with its arguments, and the wrappers around it, outermost first. */
export interface Invocation {
  readonly program: string;
  readonly args: readonly string[];
  readonly wrappers: readonly Invocation[];
}

/**
 * Finds the program that really runs behind `sudo`, `env`, `timeout` and their like. Undefined when nothing is run.
 *
 * @example
 * peelWrappers(['sudo', '-u', 'root', 'env', 'A=1', '/sbin/reboot'])?.program; // 'reboot'
 */
export function peelWrappers(argv: readonly string[]): Invocation | undefined {
  const wrappers: Invocation[] = [];
  let rest = argv;
  for (;;) {
    const [first, ...args] = rest;
    if (first === undefined) return wrappers.at(-1) && { ...last(wrappers), wrappers: wrappers.slice(0, -1) };
    const program = programName(first);
    const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
    if (!wrapper) return { program, args, wrappers };
    const inner = innerArguments(args, wrapper);
    wrappers.push({ program, args: args.slice(0, args.length - (inner?.length ?? 0)), wrappers: [] });
    if (!inner) return { ...last(wrappers), wrappers: wrappers.slice(0, -1) };
    rest = inner;
  }
}

function last(wrappers: readonly Invocation[]): Invocation {
  return wrappers.at(-1) ?? { program: '', args: [], wrappers: [] };
}

/** The plain name of a program: full-width letters folded, the folder of a system program removed. */
export function programName(word: string): string {
  const folded = word.normalize('NFKC');
  return SYSTEM_PROGRAM.exec(folded)?.[1] ?? folded;
}

function innerArguments(args: readonly string[], wrapper: Wrapper): readonly string[] | undefined {
  let positional = wrapper.positional ?? 0;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (wrapper.queries?.some((query) => arg === query)) return undefined;
    if (arg === '--') return args.slice(at + 1 + positional);
    if (wrapper.values.includes(arg)) at++;
    else if (arg.startsWith('-') || (wrapper.assignments && ASSIGNMENT.test(arg))) continue;
    else if (positional > 0) positional--;
    else return args.slice(at);
  }
  return [];
}
