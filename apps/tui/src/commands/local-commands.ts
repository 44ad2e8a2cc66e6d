import type { MethodResult } from '@hermes/host/rpc';
import type { Messages } from '../language/messages.ts';

export type CommandInfo = MethodResult<'commands.catalog'>['commands'][number];

/** What the interface does itself; every other command is the host's. */
export type LocalAction = 'help' | 'quit' | 'new' | 'sessions' | 'resume' | 'model';

interface LocalCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly arguments: string;
  readonly action: LocalAction;
}

const LOCAL_COMMANDS: readonly LocalCommand[] = [
  { name: 'help', aliases: [], arguments: '', action: 'help' },
  { name: 'model', aliases: [], arguments: '[name]', action: 'model' },
  { name: 'new', aliases: ['clear', 'reset'], arguments: '', action: 'new' },
  { name: 'sessions', aliases: ['switch'], arguments: '[search]', action: 'sessions' },
  { name: 'resume', aliases: [], arguments: '[session]', action: 'resume' },
  { name: 'quit', aliases: ['exit'], arguments: '', action: 'quit' },
];

/** The interface's own commands and those of the host, in one list; a name of ours hides the host's. */
export function allCommands(host: readonly CommandInfo[], messages: Messages): readonly CommandInfo[] {
  const own = LOCAL_COMMANDS.map(({ name, aliases, arguments: takes, action }) => ({
    name,
    aliases: [...aliases],
    arguments: takes,
    description: messages.commands[action],
  }));
  const taken = new Set(LOCAL_COMMANDS.flatMap(({ name, aliases }) => [name, ...aliases]));
  const others = host.filter(({ name }) => !taken.has(name.toLowerCase()));
  return [...own, ...others].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a submitted line asks the interface to do; undefined when the host has to decide. */
export function localAction(line: string): { readonly action: LocalAction; readonly argument: string } | undefined {
  const { name, argument } = splitCommand(line);
  const command = LOCAL_COMMANDS.find((candidate) => candidate.name === name || candidate.aliases.includes(name));
  return command && { action: command.action, argument };
}

/**
 * A line is a command when it starts with a slash and a name, so that a path like `/etc/hosts` is a message.
 *
 * @example
 * isCommand('/help me'); // true
 * isCommand('/etc/hosts is odd'); // false
 */
export function isCommand(line: string): boolean {
  return /^\/[a-z][\w-]*(\s|$)/i.test(line);
}

function splitCommand(line: string): { readonly name: string; readonly argument: string } {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? [];
  return { name: name.toLowerCase(), argument: argument.trim() };
}
