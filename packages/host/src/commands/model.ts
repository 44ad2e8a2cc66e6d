import type { SlashCommand } from './slash-command.ts';

export const modelCommand: SlashCommand = {
  name: 'model',
  aliases: [],
  arguments: '[PROVIDER/MODEL]',
  description: 'Show the model, or use another one from now on',
  run: async ([choice], { host }) => {
    if (choice !== undefined) {
      const route = host.model.select({ model: choice });
      return `Now using ${route.provider}/${route.model}. Other models cannot reuse the cached beginning of this session.`;
    }
    const { state } = host.model;
    const current = state.ok ? `${state.route.provider}/${state.route.model}` : state.error.message;
    const options = await host.modelOptions({ probeLocal: false });
    return [`Current: ${current}`, ...options.map((option) => `  ${option.provider}/${option.model}`)].join('\n');
  },
};
