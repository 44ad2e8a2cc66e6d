import type { SlashCommand } from './slash-command.ts';

export const helpCommand: SlashCommand = {
  name: 'help',
  aliases: ['commands'],
  arguments: '',
  description: 'List the commands',
  run: async (_args, { catalog }) => {
    const names = catalog.map(
      (command) => `/${command.name}${command.arguments === '' ? '' : ` ${command.arguments}`}`,
    );
    const width = Math.max(...names.map((name) => name.length));
    return catalog.map((command, index) => `${(names[index] ?? '').padEnd(width)}  ${command.description}`).join('\n');
  },
};
