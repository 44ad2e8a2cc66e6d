import type { Host } from '../host/host.ts';
import type { CommandInfo } from '../rpc/contract.ts';

export interface CommandContext {
  readonly host: Host;
  /** The session the command was typed in; null before there is one. */
  readonly sessionId: string | null;
  readonly catalog: readonly CommandInfo[];
}

/** One slash command. `run` answers text for the screen; it never sends anything to the model. */
export interface SlashCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  /** How its arguments are written, e.g. `[PROVIDER/MODEL]`; empty when it takes none. */
  readonly arguments: string;
  readonly description: string;
  readonly run: (args: readonly string[], context: CommandContext) => Promise<string>;
}
