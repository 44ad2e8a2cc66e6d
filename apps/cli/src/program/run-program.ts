import { Command, CommanderError } from 'commander';
import { ExitCode, HermesError, nearest } from '@hermes/runtime';
import { reportError } from '../output/report-error.ts';
import { callContext, type CallContext } from './call-context.ts';
import { acceptGlobalFlags, addGlobalFlags, type GlobalFlags } from './global-flags.ts';
import { VERSION } from './version.ts';

type Action<Flags> = (context: CallContext, args: readonly string[], flags: Flags) => Promise<number>;

/** Parses the command line, runs the command, and sets the exit code. Command modules load when they are dispatched. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = buildProgram();
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? usageExit(error) : reportError(error);
  }
}

function usageExit(error: CommanderError): number {
  return error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
}

function buildProgram(): Command {
  const program = addGlobalFlags(new Command('hermes'))
    .description('A personal agent that works on your machine.')
    .version(`hermes ${VERSION}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .exitOverride()
    .argument('[command]', '')
    .usage('[flags] [command]');
  program.action(async (word: string | undefined, flags: GlobalFlags) => {
    if (word !== undefined) throw unknownCommand(word, program);
    await run(flags, {}, [], async (context) => {
      if (flags.oneshot !== undefined) return (await import('../commands/oneshot.ts')).oneshot(context, flags.oneshot);
      return (await import('../commands/interactive.ts')).interactive(context, undefined);
    });
  });

  command<{ query?: string; queryFile?: string; oneshot?: boolean; quiet?: boolean; format?: string }>(
    program
      .command('chat')
      .description('talk to the agent')
      .option('-q, --query <text>', 'first message, taken literally')
      .option('--query-file <path>', 'first message from a file, - for stdin')
      .option('--oneshot', 'answer and exit')
      .option('-Q, --quiet', 'answer and exit, without tool lines')
      .option('--format <format>', 'text or stream-json', 'text'),
    async (context, _args, flags) => (await import('../commands/chat.ts')).chat(context, flags),
  );
  command<{ list?: boolean; json?: boolean; set?: string }>(
    program
      .command('model')
      .description('show or choose the model')
      .option('--list', 'list models, also of servers on this machine')
      .option('--json', 'machine-readable')
      .option('--set <provider/model>', 'make it the default'),
    async (context, _args, flags) => (await import('../commands/model.ts')).model(context, flags),
  );
  const config = program.command('config').description('read and change settings');
  configCommands(config);
  const sessions = program.command('sessions').description('list and show sessions');
  command<{ limit?: string; source?: string; json?: boolean }>(
    sessions
      .command('list')
      .description('recent sessions, newest first')
      .option('--limit <n>', 'at most so many', '20')
      .option('--source <tag>', 'only of this source')
      .option('--json', 'machine-readable'),
    async (context, _args, flags) => (await import('../commands/sessions.ts')).listSessions(context, flags),
  );
  command<{ json?: boolean }>(
    sessions
      .command('show')
      .description('print a session')
      .argument('<session>', 'id, unique prefix, title, or latest')
      .option('--json', 'machine-readable'),
    async (context, [ref = ''], flags) => (await import('../commands/sessions.ts')).showSession(context, ref, flags),
  );
  command<{ json?: boolean; only?: string }>(
    program
      .command('doctor')
      .description('check the installation')
      .option('--json', 'machine-readable')
      .option('--only <check>', 'one check'),
    async (context, _args, flags) => (await import('../commands/doctor.ts')).doctor(context, flags),
  );
  command<{ stdio?: boolean }>(
    program
      .command('serve', { hidden: true })
      .description('serve this profile over JSON-RPC')
      .option('--stdio', 'on stdin and stdout'),
    async (context) => (await import('../commands/serve.ts')).serve(context),
  );
  return program;
}

function configCommands(config: Command): void {
  const load = () => import('../commands/config.ts');
  command<{ json?: boolean }>(
    config
      .command('get')
      .description('print a setting')
      .argument('<key>', 'dotted name, e.g. terminal.timeout')
      .option('--json', 'machine-readable'),
    async (context, [key = ''], flags) => (await load()).getSetting(context, key, flags),
  );
  command<{ force?: boolean; strict?: boolean }>(
    config
      .command('set')
      .description('change a setting; a secret goes to .env')
      .argument('<key>')
      .argument('<value>')
      .option('--force', 'put a value where a section is')
      .option('--strict', 'refuse keys nobody knows'),
    async (context, [key = '', value = ''], flags) => (await load()).setSetting(context, key, value, flags),
  );
  command(
    config.command('unset').description('go back to the default').argument('<key>'),
    async (context, [key = '']) => (await load()).unsetSetting(context, key),
  );
  command<{ json?: boolean }>(
    config.command('show').description('print all settings').option('--json', 'machine-readable'),
    async (context, _args, flags) => (await load()).showSettings(context, flags),
  );
  command(config.command('path').description('print the path of config.yaml'), async (context) =>
    (await load()).printPath(context),
  );
  command(config.command('env-path').description('print the path of .env'), async (context) =>
    (await load()).printEnvPath(context),
  );
}

/** Connects a command to its action; flags of the program may stand anywhere on the line. */
function command<Flags extends object>(definition: Command, action: Action<Flags>): void {
  acceptGlobalFlags(definition);
  definition.helpOption('-h, --help', 'print help').action(async (...parameters: unknown[]) => {
    const args = parameters.slice(0, -2).map(String);
    const own = definition.opts<Flags>();
    await run(definition.optsWithGlobals<GlobalFlags>(), own, args, action);
  });
}

async function run<Flags>(
  globals: GlobalFlags,
  own: Flags,
  args: readonly string[],
  action: Action<Flags>,
): Promise<void> {
  process.exitCode = await action(callContext(globals), args, own);
}

/** At most three lines: what it is not, what it may be, where to look. */
function unknownCommand(word: string, program: Command): HermesError {
  const names = program.commands.map((known) => known.name()).filter((name) => name !== 'serve');
  const near = nearest(word, names, 3);
  return new HermesError('unknown_command', `There is no command ${JSON.stringify(word)}.`, {
    exitCode: ExitCode.usage,
    hints: [...(near.length > 0 ? [`Did you mean ${near.join(', ')}?`] : []), 'hermes --help lists the commands.'],
  });
}
