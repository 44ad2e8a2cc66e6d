import type { JsonObject, JsonValue } from '@hermes/providers';
import type { Clock } from '@hermes/runtime';
import type { ToolState } from './tool-state.ts';

/**
 * How a call may share time with its neighbours: `never` (talks to a person), `barrier` (alone, in order), `safe` (no shared
 * resource), `pathRead` / `pathWrite` (conflict when their paths overlap).
 */
export type ParallelClass = 'never' | 'barrier' | 'safe' | 'pathRead' | 'pathWrite';

/** What a tool can change: nothing, this machine, the world outside, or nobody knows. Decides what a crash leaves behind. */
export type EffectClass = 'none' | 'local' | 'external' | 'unknown';

/** What one call did change. `unknown`: it may have begun and nobody saw it end. */
export type Effect = 'none' | 'done' | 'maybe' | 'unknown';

/** What a handler may use. Everything that touches the world comes through here. */
export interface ToolContext {
  readonly sessionId: string;
  readonly turnId: string;
  readonly callId: string;
  /** The session's working directory, absolute. Tools that move (terminal) keep their own record in `state`. */
  readonly cwd: string;
  /** Aborts when the turn is interrupted or the call is out of time. Handlers stop within 2 s of it. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Per-session memory of the tools, dropped with the session. */
  readonly state: ToolState;
  /** Environment for child processes, already filtered. */
  readonly childEnv: Readonly<Record<string, string>>;
  /** Directory for files a tool leaves for the user to page through; absolute. Created by whoever writes there first. */
  readonly cacheDir: string;
  /** Reports live output for display (at most a few times a second; never the result itself). */
  progress(text: string): void;
}

/** A result with more than its text: what really changed, and a line for the screen. */
export interface ToolOutcome {
  /** The text the model reads: JSON. */
  readonly content: string;
  readonly effect?: Effect;
  /** One line for the screen, e.g. `exit 0 · 12 lines`. */
  readonly preview?: string;
  /** Unified diff for the screen, when files changed. */
  readonly diff?: string;
}

export const TOOL_OUTCOME = Symbol('hermes.toolOutcome');

/** Marks a value as a `ToolOutcome`; a handler may as well return a plain JSON value. */
export function toolOutcome(outcome: ToolOutcome): ToolOutcome & { readonly [TOOL_OUTCOME]: true } {
  return { ...outcome, [TOOL_OUTCOME]: true };
}

export type HandlerResult = JsonValue | ToolOutcome;

/**
 * One tool. A tool file exports such a value and does nothing else when imported.
 *
 * Contract of `handler`: arguments are already validated against `parameters`. It answers failures of its work with
 * `{ error: 'what happened and what to do next', … }`, honours `ctx.signal`, and throws only for bugs.
 *
 * @example
 * export const add: ToolDefinition = {
 *   name: 'add',
 *   toolset: 'math',
 *   description: 'Add two numbers.',
 *   parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
 *   parallel: 'safe',
 *   effect: 'none',
 *   handler: async ({ a, b }) => ({ sum: Number(a) + Number(b) }),
 * };
 */
export interface ToolDefinition {
  /** `^[A-Za-z0-9_-]{1,64}$`: providers reject anything else. */
  readonly name: string;
  /** The one toolset that owns the tool. */
  readonly toolset: string;
  /** What the model reads. */
  readonly description: string;
  /** JSON Schema of the arguments, type object. */
  readonly parameters: JsonObject;
  readonly parallel: ParallelClass;
  readonly effect: EffectClass;
  readonly handler: (args: JsonObject, ctx: ToolContext) => Promise<HandlerResult> | HandlerResult;
  /** Results longer than this many characters are cut or spilled. Default 100,000 (tools spec 1.1). */
  readonly maxResultChars?: number;
  /** Seconds a call may take before it is aborted. Default: the batch deadline. */
  readonly deadlineSeconds?: number;
  /** Names accepted in calls and never listed to the model. */
  readonly aliases?: readonly string[];
  /** One line for the screen from the arguments, e.g. the command or the path. */
  readonly summarize?: (args: JsonObject) => string;
}
