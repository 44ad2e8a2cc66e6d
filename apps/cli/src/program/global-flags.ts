import { type Command, Option } from 'commander';

/** Flags that mean the same for every form of the command (CLI spec 3.1). */
export interface GlobalFlags {
  readonly profile?: string;
  readonly oneshot?: string;
  readonly usageFile?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly toolsets?: string;
  readonly resume?: string;
  /** `true` without a title. */
  readonly continue?: string | true;
  readonly in?: string;
  readonly maxTurns?: string;
  readonly source?: string;
  readonly ignoreRules?: boolean;
  readonly demo?: boolean;
  readonly tui?: boolean;
  readonly cli?: boolean;
  readonly lang?: string;
  readonly color?: boolean;
}

const FLAGS: readonly (readonly [flags: string, description: string])[] = [
  ['-p, --profile <name>', 'use this profile'],
  ['-m, --model <id>', 'model for this call, also as provider/model'],
  ['--provider <id>', 'provider for this call; needs --model'],
  ['-t, --toolsets <csv>', 'only tools of these sets, e.g. file,terminal'],
  ['-r, --resume <session>', 'continue a session: id, unique prefix, title, or latest'],
  ['-c, --continue [title]', "continue this terminal's last session, or the one of that title"],
  ['--in <dir>', 'enter this directory first'],
  ['--max-turns <n>', 'most model calls in one turn'],
  ['--source <tag>', 'tag new sessions with this source'],
  ['--ignore-rules', 'no SOUL.md, project instructions or memory'],
  ['--demo', 'use the built-in demo model: scripted, no AI; real engine and tools'],
  ['--tui', 'full-screen interface'],
  ['--cli', 'line interface'],
  ['--lang <code>', 'language of the interface: en, zh'],
  ['--no-color', 'no colours'],
];

/** Adds the global flags to the program. */
export function addGlobalFlags(program: Command): Command {
  program
    .option('-z, --oneshot <prompt>', 'answer one prompt; only the answer goes to stdout')
    .option('--usage-file <path>', 'with -z: write a JSON usage report, also on failure');
  for (const [flags, description] of FLAGS) program.option(flags, description);
  return program;
}

/** Lets the global flags stand after a command too. Its help leaves them out; a flag of its own of that name wins. */
export function acceptGlobalFlags(command: Command): void {
  for (const [flags, description] of FLAGS) {
    const option = new Option(flags, description).hideHelp();
    if (!command.options.some((own) => own.long === option.long)) command.addOption(option);
  }
}
