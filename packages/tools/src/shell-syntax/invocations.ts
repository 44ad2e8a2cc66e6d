import { isAbsolute, resolve } from 'node:path';
import { parseScript } from './parse-script.ts';
import { type Invocation, peelWrappers, programName } from './peel-wrappers.ts';
import { type Names, printedText, resolveText, resolveWord, UNKNOWN } from './resolve-word.ts';
import {
  type Connector,
  type FunctionDefinition,
  MalformedScript,
  type Script,
  type SimpleCommand,
  type Word,
} from './script.ts';

/** Scripts inside scripts (`bash -c`, `eval`) are followed this deep (tools spec 11.4). */
const MAX_DEPTH = 8;

/** Characters of inner scripts that are read for one command; more is the work of an attacker. */
const MAX_INNER_CHARS = 1_000_000;

/** Shells that run a script given as text. */
const SHELLS = new Set(['sh', 'bash', 'zsh', 'ksh', 'dash', 'ash']);

/** A redirection with its target worked out. */
export interface ResolvedRedirection {
  readonly operator: string;
  readonly target: string;
}

/** One program that a script may run, with what surrounds it. */
export interface RunnableCommand extends Invocation {
  readonly redirections: readonly ResolvedRedirection[];
  /** Something is piped, redirected or written inline into its standard input. */
  readonly hasInput: boolean;
  /** It runs on another machine (`ssh host …`). */
  readonly remote: boolean;
  /** It stands in a script inside the script (`bash -c`, `eval`, `find -exec`). */
  readonly nested: boolean;
  /** What stands behind it in the script. */
  readonly after: Connector;
  /** Where it runs as far as the text tells; `UNKNOWN` when it cannot be told. */
  readonly cwd: string;
}

/** Everything that a script may run, flattened. */
export interface ScriptAnalysis {
  readonly commands: readonly RunnableCommand[];
  readonly functions: readonly FunctionDefinition[];
}

interface Place {
  readonly depth: number;
  readonly remote: boolean;
}

/**
 * Lists every program a script may run, wherever it is written: in chains, pipelines, substitutions, `bash -c`, `eval`, `find -exec`,
 * here-documents fed to a shell. Arguments that are only data (commit messages, search patterns) stay data.
 *
 * @throws MalformedScript when the script itself cannot be read or is too complex; unreadable inner scripts are skipped.
 */
export function analyseScript(text: string, home: string, cwd: string): ScriptAnalysis {
  const collector = new Collector(home, cwd);
  collector.script(parseScript(text), { depth: 0, remote: false });
  return { commands: collector.commands, functions: collector.functions };
}

class Collector {
  readonly commands: RunnableCommand[] = [];
  readonly functions: FunctionDefinition[] = [];
  readonly #variables = new Map<string, string>();
  readonly #names: Names;
  #cwd: string;
  #innerChars = 0;

  constructor(home: string, cwd: string) {
    this.#names = { home, variables: this.#variables };
    this.#cwd = cwd;
  }

  script(script: Script, place: Place): void {
    this.functions.push(...script.functions);
    for (const command of script.commands) this.#simple(command, place);
  }

  #simple(command: SimpleCommand, place: Place): void {
    const words = [...command.words, ...command.assignments.map(({ value }) => value)];
    for (const word of words) this.#substitutions(word, place);
    for (const { target, body } of command.redirections) {
      this.#substitutions(target, place);
      if (body) this.#substitutions(body, place);
    }
    const argv = command.words.flatMap((word) => resolveWord(word, this.#names));
    const invocation = peelWrappers(argv);
    if (invocation) this.#invocation(invocation, command, place);
    if (argv.length === 0) this.#assign(command);
  }

  #assign(command: SimpleCommand): void {
    for (const { name, value } of command.assignments) this.#variables.set(name, resolveText(value, this.#names));
  }

  #substitutions(word: Word, place: Place): void {
    for (const part of word.parts) {
      if (part.kind === 'command' || part.kind === 'process') this.script(part.script, place);
      else if (part.kind === 'opaque') for (const script of part.scripts) this.script(script, place);
      else if (part.kind === 'variable' && part.fallback) this.#substitutions(part.fallback, place);
    }
  }

  #invocation(invocation: Invocation, command: SimpleCommand | undefined, place: Place): void {
    const redirections = (command?.redirections ?? []).map(({ operator, target }) => ({
      operator,
      target: resolveText(target, this.#names),
    }));
    const hasInput = command?.input !== undefined || redirections.some(({ operator }) => operator.startsWith('<'));
    const after = command?.after ?? '';
    const { remote, depth } = place;
    this.commands.push({ ...invocation, redirections, hasInput, remote, nested: depth > 0, after, cwd: this.#cwd });
    if (invocation.program === 'cd' || invocation.program === 'pushd') this.#changeDirectory(invocation.args);
    if (invocation.program === 'export') this.#export(invocation.args);
    if (place.depth >= MAX_DEPTH) return;
    const inner = { ...place, depth: place.depth + 1 };
    for (const text of scriptsOf(invocation)) this.#text(text, inner);
    for (const argv of argumentLists(invocation)) {
      const found = peelWrappers(argv);
      if (found) this.#invocation(found, undefined, inner);
    }
    if (invocation.program === 'ssh') this.#text(sshCommand(invocation.args), { ...inner, remote: true });
    if (command && readsScriptFromInput(invocation)) this.#input(command, inner);
  }

  #text(text: string, place: Place): void {
    if (text.trim() === '') return;
    this.#innerChars += text.length;
    if (this.#innerChars > MAX_INNER_CHARS) throw new MalformedScript('it is too complex');
    const script = readable(text);
    if (script) this.script(script, place);
  }

  /** The text that reaches a shell's standard input, when it is written in the command. */
  #input(command: SimpleCommand, place: Place): void {
    for (const { operator, target, body } of command.redirections) {
      if (body) this.#text(resolveText(body, this.#names), place);
      else if (operator === '<<<') this.#text(resolveText(target, this.#names), place);
    }
    const source = command.input;
    if (!source) return;
    const printed = printedText({ commands: [{ ...source, redirections: [] }], functions: [] }, this.#names);
    if (printed !== undefined) this.#text(printed, place);
    for (const { body } of source.redirections) if (body) this.#text(resolveText(body, this.#names), place);
  }

  #changeDirectory(args: readonly string[]): void {
    const target = args.find((arg) => !arg.startsWith('-')) ?? (args.length === 0 ? this.#names.home : UNKNOWN);
    if (target.includes(UNKNOWN)) this.#cwd = UNKNOWN;
    else if (isAbsolute(target) || this.#cwd !== UNKNOWN) this.#cwd = resolve(this.#cwd, target);
  }

  #export(args: readonly string[]): void {
    for (const arg of args) {
      const at = arg.indexOf('=');
      if (at > 0) this.#variables.set(arg.slice(0, at), arg.slice(at + 1));
    }
  }
}

/** An inner text as a script; undefined when no shell could read it. */
function readable(text: string): Script | undefined {
  try {
    return parseScript(text);
  } catch (error) {
    if (error instanceof MalformedScript) return undefined;
    throw error;
  }
}

/** The texts that a program runs as scripts: `bash -c TEXT`, `eval TEXT …`, `trap TEXT EXIT`, `env -S TEXT`. */
function scriptsOf({ program, args, wrappers }: Invocation): string[] {
  const split = [...wrappers, { program, args }].flatMap((wrapper) =>
    wrapper.program === 'env' ? splitStrings(wrapper.args) : [],
  );
  if (program === 'eval') return [...split, args.join(' ')];
  if (program === 'trap') return [...split, args[0] ?? ''];
  if (!SHELLS.has(program)) return split;
  const flag = args.findIndex((arg) => /^-[A-Za-z]*c[A-Za-z]*$/u.test(arg));
  return flag < 0 ? split : [...split, args.slice(flag + 1).find((arg) => !/^[-+]/u.test(arg)) ?? ''];
}

/** The values of `env -S 'text'`, `-S'text'`, `--split-string=text`. */
function splitStrings(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    if (arg === '-S' || arg === '--split-string') return [args[at + 1] ?? ''];
    const joined = /^(?:-S|--split-string=)(.+)$/su.exec(arg)?.[1];
    return joined === undefined ? [] : [joined];
  });
}

/** Programs that `find` runs for what it finds. */
function argumentLists({ program, args }: Invocation): string[][] {
  if (programName(program) !== 'find') return [];
  return args.flatMap((arg, at) => {
    if (!['-exec', '-execdir', '-ok', '-okdir'].includes(arg)) return [];
    const rest = args.slice(at + 1);
    const end = rest.findIndex((word) => word === ';' || word === '+');
    return [rest.slice(0, end < 0 ? undefined : end)];
  });
}

const SSH_VALUES = /^-[BbcDEeFIiJLlmOopQRSWw]$/u;

function sshCommand(args: readonly string[]): string {
  let at = 0;
  while (at < args.length && (args[at] ?? '').startsWith('-')) at += SSH_VALUES.test(args[at] ?? '') ? 2 : 1;
  return args.slice(at + 1).join(' ');
}

/** A shell without a script file or `-c` runs what it reads. */
function readsScriptFromInput({ program, args }: Invocation): boolean {
  if (!SHELLS.has(program)) return false;
  if (args.includes('-s')) return true;
  return args.every((arg) => arg.startsWith('-') && !/^-[A-Za-z]*c/u.test(arg));
}
