import type { CommandInfo } from './local-commands.ts';

/**
 * Commands that fit what is typed so far, best first: the exact name, an exact alias, names that start with it, aliases that
 * do, then names that contain its letters in order. Empty when no command name is being typed.
 *
 * @example
 * completions('/he', catalog); // [help, …]
 */
export function completions(text: string, commands: readonly CommandInfo[]): readonly CommandInfo[] {
  const typed = /^\/([\w-]*)$/.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  return commands
    .map((command) => ({ command, rank: rankOf(command, typed) }))
    .filter(({ rank }) => rank !== undefined)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ command }) => command);
}

/** True when the text names a command exactly, by its name or an alias. */
export function namesCommand(text: string, command: CommandInfo): boolean {
  const typed = text.slice(1).toLowerCase();
  return command.name.toLowerCase() === typed || command.aliases.some((alias) => alias.toLowerCase() === typed);
}

function rankOf({ name, aliases }: CommandInfo, typed: string): number | undefined {
  const names = [name, ...aliases].map((candidate) => candidate.toLowerCase());
  if (names[0] === typed) return 0;
  if (names.includes(typed)) return 1;
  if (names[0]?.startsWith(typed)) return 2;
  if (names.some((candidate) => candidate.startsWith(typed))) return 3;
  return names[0] !== undefined && hasInOrder(names[0], typed) ? 4 : undefined;
}

/** True when the letters of `part` occur in `text` in this order. */
export function hasInOrder(text: string, part: string): boolean {
  let from = 0;
  for (const letter of part) {
    const found = text.indexOf(letter, from);
    if (found === -1) return false;
    from = found + 1;
  }
  return true;
}
