import type { RunnableCommand } from '../../shell-syntax/invocations.ts';
import { isBlockDevice } from './block-devices.ts';
import { isProtectedTree } from './protected-paths.ts';

/** One class of commands that never run, whatever is configured (tools spec 12.1). */
export interface RefusalRule {
  readonly category: string;
  /** What the command would do, told to the model. */
  readonly reason: string;
  readonly matches: (command: RunnableCommand, home: string) => boolean;
}

export const REFUSAL_RULES: readonly RefusalRule[] = [
  {
    category: 'system_wipe',
    reason: 'it would delete the whole system, a system folder or the home folder',
    matches: (command, home) => removesTree(command, home) || findDeletesTree(command, home),
  },
  {
    category: 'format',
    reason: 'it would format a disk or a volume',
    matches: ({ program, args }) => formats(program, args),
  },
  {
    category: 'raw_device',
    reason: 'it would overwrite a disk or a partition',
    matches: (command) => writesDevice(command) || redirectsToDevice(command),
  },
  {
    category: 'kill_all',
    reason: 'it would kill every process of the user',
    matches: ({ program, args, remote }) => program === 'kill' && !remote && killTargets(args).includes('-1'),
  },
  {
    category: 'power',
    reason: 'it would stop or restart this machine',
    matches: ({ program, args, remote }) => !remote && changesPower(program, args),
  },
  {
    category: 'sudo_password',
    reason: 'it feeds a password to sudo',
    matches: feedsSudoPassword,
  },
];

function operands(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  if (end < 0) return args.filter((arg) => !arg.startsWith('-'));
  return [...args.slice(0, end).filter((arg) => !arg.startsWith('-')), ...args.slice(end + 1)];
}

/** Whether a short option is among the arguments, alone or bundled (`-rf`). */
function hasFlag(args: readonly string[], letters: RegExp, long: RegExp): boolean {
  const end = args.indexOf('--');
  const options = (end < 0 ? args : args.slice(0, end)).map((arg) => arg.normalize('NFKC'));
  return options.some((arg) => (/^-[A-Za-z]+$/u.test(arg) && letters.test(arg)) || long.test(arg));
}

function removesTree({ program, args, cwd }: RunnableCommand, home: string): boolean {
  if (program !== 'rm' || !hasFlag(args, /[rR]/u, /^--r(?:ecursive)?$|^--rec/u)) return false;
  return operands(args).some((target) => isProtectedTree(target, cwd, home));
}

/** Tests that narrow what `find` finds; without any of them the whole tree goes. */
const NARROWING =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|size|empty|user|group|uid|gid|perm|[acm](?:time|min)|newer\w*|inum|links|nouser|nogroup)$/u;

function findDeletesTree({ program, args, cwd }: RunnableCommand, home: string): boolean {
  if (program !== 'find' || args.some((arg) => NARROWING.test(arg))) return false;
  const firstTest = args.findIndex((arg) => /^[-(!]/u.test(arg) && !/^-[HLP]$/u.test(arg));
  const roots = (firstTest < 0 ? args : args.slice(0, firstTest)).filter((arg) => !arg.startsWith('-'));
  const deletes =
    args.includes('-delete') || args.some((arg, at) => /^-(?:exec|ok)(?:dir)?$/u.test(arg) && args[at + 1] === 'rm');
  return deletes && (roots.length > 0 ? roots : ['.']).some((root) => isProtectedTree(root, cwd, home));
}

const DISKUTIL_VERBS = new Set([
  'erasedisk',
  'erasevolume',
  'eraseoptical',
  'partitiondisk',
  'reformat',
  'zerodisk',
  'randomdisk',
  'secureerase',
]);

function formats(program: string, args: readonly string[]): boolean {
  if (program === 'diskutil') return args.some((arg) => DISKUTIL_VERBS.has(arg.toLowerCase()));
  if (program === 'mkswap') return operands(args).some(isBlockDevice);
  return /^(?:mkfs(?:\..+)?|mke2fs|newfs(?:_.+)?)$/u.test(program) && operands(args).length > 0;
}

function writesDevice({ program, args }: RunnableCommand): boolean {
  const touchesDevice = operands(args).some(isBlockDevice);
  switch (program) {
    case 'dd':
      return args.some((arg) => arg.startsWith('of=') && isBlockDevice(arg.slice(3)));
    case 'wipefs':
      return touchesDevice && hasFlag(args, /a/u, /^--all$/u) && !hasFlag(args, /n/u, /^--no-act$/u);
    case 'sgdisk':
      return touchesDevice && hasFlag(args, /[zZo]/u, /^--(?:zap|zap-all|clear)$/u);
    case 'blkdiscard':
    case 'shred':
    case 'tee':
      return touchesDevice;
    case 'cp':
    case 'mv':
      return isBlockDevice(args.at(-1) ?? '');
    default:
      return false;
  }
}

function redirectsToDevice({ redirections }: RunnableCommand): boolean {
  return redirections.some(({ operator, target }) => operator.includes('>') && isBlockDevice(target));
}

/** The processes that `kill` is aimed at; the first option is the signal. */
function killTargets(args: readonly string[]): string[] {
  const [first = '', second = ''] = args;
  if (first === '--') return args.slice(1);
  if (first === '-l' || first === '-L') return [];
  if (first === '-s' || first === '-n' || first === '--signal') return args.slice(2).filter((arg) => arg !== '--');
  if (first.startsWith('-')) return (second === '--' ? args.slice(2) : args.slice(1)).filter((arg) => arg !== '--');
  return [...args];
}

const POWER_PROGRAMS = new Set(['shutdown', 'reboot', 'halt', 'poweroff']);
const POWER_VERBS = new Set(['reboot', 'poweroff', 'halt', 'kexec', 'soft-reboot', 'rescue', 'emergency']);

function changesPower(program: string, args: readonly string[]): boolean {
  if (POWER_PROGRAMS.has(program)) return !args.some((arg) => /^(?:--help|--version|-c|--show)$/u.test(arg));
  if (program === 'init' || program === 'telinit') return args.some((arg) => arg === '0' || arg === '6');
  if (program === 'systemctl' || program === 'loginctl') return POWER_VERBS.has(operands(args)[0] ?? '');
  return false;
}

function feedsSudoPassword(command: RunnableCommand): boolean {
  return (
    command.hasInput &&
    [...command.wrappers, command].some(({ program, args }) => program === 'sudo' && hasFlag(args, /S/u, /^--stdin$/u))
  );
}
