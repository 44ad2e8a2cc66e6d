import type { SlashCommand } from './slash-command.ts';

export const statusCommand: SlashCommand = {
  name: 'status',
  aliases: [],
  arguments: '',
  description: 'Show the model, the session and what it used',
  run: async (_args, { host, sessionId }) => {
    const { state } = host.model;
    const model = state.ok
      ? `${state.route.provider}/${state.route.model} · window ${state.route.contextWindow.toLocaleString('en-US')} tokens${state.route.contextWindowAssumed ? ' (assumed)' : ''}`
      : state.error.message;
    const lines = [`Model    ${model}`, `Profile  ${host.scope.profile} (${host.scope.home})`];
    const session = sessionId === null ? undefined : await host.store.session(sessionId);
    if (session) {
      const { usage } = session;
      lines.push(
        `Session  ${session.title ?? session.id} · ${session.messageCount} messages, ${session.toolCallCount} tool calls`,
        `Tokens   ${usage.input} in, ${usage.cacheRead} cached, ${usage.output} out · ${session.apiCallCount} model calls`,
      );
    }
    return lines.join('\n');
  },
};
