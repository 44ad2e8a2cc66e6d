/** A piece of a shell word. `quoted` pieces are never split into fields and never expand `~` or braces. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  /** `$name`, `${name}`, and with `fallback` `${name:-fallback}` and its relatives. */
  | { readonly kind: 'variable'; readonly name: string; readonly quoted: boolean; readonly fallback?: Word }
  /** `$( … )` or backticks. */
  | { readonly kind: 'command'; readonly script: Script; readonly quoted: boolean }
  /** `<( … )` and `>( … )`. */
  | { readonly kind: 'process'; readonly script: Script }
  /** Arithmetic and expansions whose value is not worked out; scripts inside still run. */
  | { readonly kind: 'opaque'; readonly scripts: readonly Script[]; readonly quoted: boolean };

export interface Word {
  readonly parts: readonly WordPart[];
}

export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

export interface Redirection {
  /** `>`, `>>`, `<`, `<<`, `<<<`, `&>`, `>|`, `<>`, `>&`, `<&`, … */
  readonly operator: string;
  /** The file, or the text of a here-string; the delimiter of a here-document. */
  readonly target: Word;
  /** The lines of a here-document. */
  body?: Word;
}

/** What stands behind a command: `''` when the text ends there. */
export type Connector = '' | ';' | '&' | '&&' | '||' | '|';

export interface SimpleCommand {
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
  /** The command whose output is piped into this one. */
  readonly input: SimpleCommand | undefined;
  after: Connector;
}

export interface FunctionDefinition {
  readonly name: string;
  readonly commands: readonly SimpleCommand[];
}

/** Every simple command of a text in the order written; groups, loops, conditions and function bodies are flattened into it. */
export interface Script {
  readonly commands: readonly SimpleCommand[];
  readonly functions: readonly FunctionDefinition[];
}

/** The text cannot be read as a shell script: an open quote, bracket or substitution, or nesting beyond the limit. */
export class MalformedScript extends Error {
  override readonly name = 'MalformedScript';
}
