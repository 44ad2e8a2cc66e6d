import type { PromptTiers } from './system-prompt.ts';

/** Who the agent is when `SOUL.md` says nothing. */
export const BUILT_IN_IDENTITY = `You are Hermes, a personal agent that works on the user's own machine. You act through tools, say what you did and what you found, and admit what you do not know. You are direct, careful with the user's files, and brief.`;

/** Rules for tools, each given only when its tools are in the session. */
const TOOL_RULES: readonly { readonly tools: readonly string[]; readonly rule: string }[] = [
  {
    tools: [],
    rule: 'Act instead of announcing: when a tool can answer or do it, call it in the same reply. Independent calls go into one reply.',
  },
  {
    tools: ['read_file', 'patch', 'write_file'],
    rule: 'Read a file before you change it. Use patch for edits and write_file for new files or whole rewrites.',
  },
  { tools: ['search_files'], rule: 'Find things with search_files rather than grep, find or ls -R in the terminal.' },
  {
    tools: ['terminal'],
    rule: 'A command with effects runs once: look at its result before you repeat it. Results marked "effect unknown" need an inspection, never a blind repeat.',
  },
  {
    tools: ['memory'],
    rule: 'Save lasting facts about the user and the environment with memory; not task progress, not secrets.',
  },
];

export interface DefaultTiersInput {
  /** Text of SOUL.md, scanned and cut already; empty for the built-in identity. */
  readonly soul: string;
  readonly toolNames: readonly string[];
  /** Where the session was opened: `cli`, `tui`, `oneshot` … */
  readonly surface: string;
  /** Instructions of whoever embeds the agent. */
  readonly systemMessage: string;
  readonly projectInstructions: string;
  /** Blocks of memory, in order. */
  readonly memory: readonly string[];
  /** Start of the conversation, milliseconds since the epoch; a later rebuild prints the same date. */
  readonly startedAt: number;
  readonly timeZone: string;
  readonly model: string;
  readonly provider: string;
  readonly environment: {
    readonly host: string;
    readonly platform: string;
    readonly home: string;
    readonly cwd: string;
  };
}

/** The parts of the prompt in the order of context spec 1.1. The environment closes it, so that no example path is taken for the cwd. */
export function defaultTiers(input: DefaultTiersInput): PromptTiers {
  return {
    stable: [input.soul || BUILT_IN_IDENTITY, toolRules(input.toolNames), surfaceHint(input.surface)],
    context: [input.systemMessage, input.projectInstructions],
    volatile: [
      ...input.memory,
      `${dateLine(input.startedAt, input.timeZone)}\nModel: ${input.model} (${input.provider})`,
      environmentBlock(input.environment),
    ],
  };
}

function toolRules(toolNames: readonly string[]): string {
  if (toolNames.length === 0) return '';
  const rules = TOOL_RULES.filter(({ tools }) => tools.every((tool) => toolNames.includes(tool))).map(
    ({ rule }) => `- ${rule}`,
  );
  return `# Using tools\n\n${rules.join('\n')}`;
}

function surfaceHint(surface: string): string {
  if (surface === 'oneshot')
    return 'Your final text goes to standard output of a script: give the answer only, without preamble.';
  if (surface === 'cli' || surface === 'tui') return 'Your text is shown in a terminal as markdown. Keep it short.';
  return '';
}

/** Weekday and date of the conversation's start with zone and offset, no clock time (context spec 1.3). */
export function dateLine(startedAt: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone,
    timeZoneName: 'longOffset',
  }).formatToParts(startedAt);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((candidate) => candidate.type === type)?.value ?? '';
  const offset = part('timeZoneName') === 'GMT' ? 'GMT+00:00' : part('timeZoneName');
  const day = `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}`;
  return `Conversation started on ${day} (${timeZone}, ${offset}).`;
}

function environmentBlock({ host, platform, home, cwd }: DefaultTiersInput['environment']): string {
  return `# Environment\n\nHost: ${host} (${platform})\nHome: ${home}\nWorking directory: ${cwd}`;
}
