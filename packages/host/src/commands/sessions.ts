import type { SlashCommand } from './slash-command.ts';

export const sessionsCommand: SlashCommand = {
  name: 'sessions',
  aliases: [],
  arguments: '[COUNT]',
  description: 'List recent sessions',
  run: async ([count], { host }) => {
    const limit = Math.min(100, Math.max(1, Number.parseInt(count ?? '10', 10) || 10));
    const sessions = await host.store.listSessions({ limit, includeHidden: false });
    if (sessions.length === 0) return 'There are no sessions yet.';
    return sessions.map((session) => `${session.id}  ${session.title ?? session.preview}`).join('\n');
  },
};
