import type { Command } from 'commander';

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

/** Adds the global flags to the program. */
export function addGlobalFlags(program: Command): Command {
  return program
    .option('-p, --profile <name>', 'use this profile')
    .option('-z, --oneshot <prompt>', 'answer one prompt; only the answer goes to stdout')
    .option('--usage-file <path>', 'with -z: write a JSON usage report, also on failure')
    .option('-m, --model <id>', 'model for this call, also as provider/model')
    .option('--provider <id>', 'provider for this call; needs --model')
    .option('-t, --toolsets <csv>', 'only tools of these sets, e.g. file,terminal')
    .option('-r, --resume <session>', 'continue a session: id, unique prefix, title, or latest')
    .option('-c, --continue [title]', "continue this terminal's last session, or the one of that title")
    .option('--in <dir>', 'enter this directory first')
    .option('--max-turns <n>', 'most model calls in one turn')
    .option('--source <tag>', 'tag new sessions with this source')
    .option('--ignore-rules', 'no SOUL.md, project instructions or memory')
    .option('--demo', 'use the built-in demo model: scripted, no AI; real engine and tools')
    .option('--tui', 'full-screen interface')
    .option('--cli', 'line interface')
    .option('--lang <code>', 'language of the interface: en, zh')
    .option('--no-color', 'no colours');
}
