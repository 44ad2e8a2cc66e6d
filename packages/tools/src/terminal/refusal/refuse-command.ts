import { analyseScript, type ScriptAnalysis } from '../../shell-syntax/invocations.ts';
import { type FunctionDefinition, MalformedScript } from '../../shell-syntax/script.ts';
import { REFUSAL_RULES } from './refusal-rules.ts';

/** Texts beyond these limits are not analysed and therefore not run (tools spec 11.4). */
const MAX_CHARS = 128_000;
const MAX_UNBROKEN_CHARS = 4096;
const MAX_SEPARATORS = 25_000;

/** Why a command is not run. */
export interface Refusal {
  readonly category: string;
  readonly error: string;
}

/** A command that was read and may run, with what it consists of. */
export interface AcceptedCommand {
  readonly analysis: ScriptAnalysis;
}

/**
 * Applies the rules that nothing overrides (tools spec 12.1) to everything a command would run.
 *
 * @example
 * refuseCommand('sudo rm -fr /', { home: '/home/ada', cwd: '/work' }); // { category: 'system_wipe', error: '…' }
 */
export function refuseCommand(command: string, where: { home: string; cwd: string }): Refusal | AcceptedCommand {
  const limit = exceededLimit(command);
  if (limit !== undefined)
    return {
      category: 'parser_limit',
      error: `Refused: the command ${limit}. Put the text into a file with write_file and run that.`,
    };
  let analysis: ScriptAnalysis;
  try {
    analysis = analyseScript(command, where.home, where.cwd);
  } catch (error) {
    if (!(error instanceof MalformedScript)) throw error;
    return {
      category: 'malformed_command',
      error: `Not run: the shell could not read this command: ${error.message}. Correct the quoting and send it again.`,
    };
  }
  if (analysis.functions.some(isForkBomb)) return refusal('fork_bomb', 'it would start processes without end');
  for (const invocation of analysis.commands) {
    const rule = REFUSAL_RULES.find(({ matches }) => matches(invocation, where.home));
    if (rule) return refusal(rule.category, rule.reason);
  }
  return { analysis };
}

function refusal(category: string, reason: string): Refusal {
  return {
    category,
    error: `Refused: ${reason}. This is never allowed: do not retry, rephrase or route around it; ask the user to do it by hand if it is really wanted.`,
  };
}

function exceededLimit(command: string): string | undefined {
  if (command.length > MAX_CHARS) return `is longer than ${MAX_CHARS} characters`;
  const separators = command.match(/[;&|\n]/gu)?.length ?? 0;
  if (separators === 0 && command.length > MAX_UNBROKEN_CHARS)
    return `is one unbroken command of more than ${MAX_UNBROKEN_CHARS} characters`;
  if (separators >= MAX_SEPARATORS) return `has ${MAX_SEPARATORS} or more separators`;
  return undefined;
}

/** A function that pipes itself into itself in the background. */
function isForkBomb({ name, commands }: FunctionDefinition): boolean {
  const calls = commands.filter((command) => {
    const part = command.words[0]?.parts[0];
    return command.words[0]?.parts.length === 1 && part?.kind === 'text' && part.text === name;
  });
  return calls.length > 1 && calls.some(({ after }) => after === '|') && calls.some(({ after }) => after === '&');
}
