import type { ModelClient } from '@hermes/providers';
import type { Clock } from '@hermes/runtime';
import type { SessionRecord, SessionStore } from '@hermes/session-db';
import type { ToolDefinition, ToolList } from '@hermes/tool-registry';
import type { PromptDraft } from '../turn/ports.ts';

/** A tool of an embedder: what must be said, and what may be left to a careful default. */
export type EngineTool = Pick<ToolDefinition, 'name' | 'description' | 'parameters' | 'handler'> &
  Partial<ToolDefinition>;

export interface EngineOptions {
  /** The model, or a function that is asked for it once a turn. */
  readonly model: ModelClient | (() => ModelClient);
  /** Tools of every session. A tool without `effect` counts as one that may change anything, and runs alone. */
  readonly tools?: readonly EngineTool[];
  /** Where facts are kept. Default: in memory. */
  readonly store?: SessionStore;
  /** The system prompt of new sessions: a text, or a function that renders it once for each session. */
  readonly systemPrompt?: string | ((session: SessionRecord, tools: ToolList) => Promise<PromptDraft>);
  /** Working directory of new sessions that name none; absolute. Default: `/`. */
  readonly cwd?: string;
  /** Environment of child processes. Default: empty. */
  readonly childEnv?: Readonly<Record<string, string>>;
  /** Where tools leave long results; absolute. Default: a folder that is only made when needed. */
  readonly cacheDir?: string;
  /** Takes secrets out of what tools return, before it is stored, shown or sent; must keep JSON valid. Default: nothing is taken out. */
  readonly conceal?: (text: string) => string;
  readonly clock?: Clock;
  /** Attempts after the first for one model call. Default 3. */
  readonly maxRetries?: number;
  /** Longest wait for a session that another owner holds, in milliseconds. Default 30 minutes. */
  readonly leaseWaitMs?: number;
  /** Name of the surface, written into the lease. Default `library`. */
  readonly surface?: string;
  /** In [0, 1); spreads waits. Default `Math.random`. */
  readonly random?: () => number;
}

export interface OpenSessionOptions {
  /** Continue this session instead of beginning one. */
  readonly resume?: string;
  readonly source?: string;
  readonly profile?: string;
  readonly cwd?: string;
}

export interface RunOptions {
  /** Most model calls of the turn. The engine sets none by itself (turn spec 4). */
  readonly limit: number;
  /** Aborting it interrupts the turn. */
  readonly signal?: AbortSignal;
  /** Repeating an id answers the first admission again. Default: a new one. */
  readonly requestId?: string;
}
