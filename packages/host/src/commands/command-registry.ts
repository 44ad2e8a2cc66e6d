import { nearest } from '@hermes/runtime';
import type { CommandInfo } from '../rpc/contract.ts';
import type { CommandContext, SlashCommand } from './slash-command.ts';
import { helpCommand } from './help.ts';
import { modelCommand } from './model.ts';
import { sessionsCommand } from './sessions.ts';
import { statusCommand } from './status.ts';

export type CommandResult =
  | { readonly type: 'exec'; readonly output: string }
  | { readonly type: 'unknown'; readonly output: string; readonly nearest: string[] };

/**
 * The slash commands of every door, from one list.
 *
 * @example
 * await new CommandRegistry().dispatch('/status', context);
 */
export class CommandRegistry {
  readonly #commands: readonly SlashCommand[] = [helpCommand, modelCommand, sessionsCommand, statusCommand];

  get catalog(): readonly CommandInfo[] {
    return this.#commands.map(({ name, aliases, arguments: args, description }) => ({
      name,
      aliases: [...aliases],
      arguments: args,
      description,
    }));
  }

  /** Runs a line that starts with a slash. Nothing of it reaches the model. */
  async dispatch(line: string, context: Omit<CommandContext, 'catalog'>): Promise<CommandResult> {
    const [word = '', ...rest] = line.trim().replace(/^\//u, '').split(/\s+/u);
    const command = this.#commands.find(({ name, aliases }) => name === word || aliases.includes(word));
    if (command) {
      const output = await command.run(rest, { ...context, catalog: this.catalog });
      return { type: 'exec', output };
    }
    const names = this.#commands.flatMap(({ name, aliases }) => [name, ...aliases]);
    const near = nearest(word, names, 3);
    const hint =
      near.length > 0 ? `Did you mean ${near.map((name) => `/${name}`).join(', ')}?` : '/help lists the commands.';
    return { type: 'unknown', output: `There is no command /${word}. ${hint}`, nearest: near };
  }
}
