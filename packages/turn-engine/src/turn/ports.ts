import type { RenderedPrompt } from '@hermes/context-engine';
import type { ModelClient } from '@hermes/providers';
import type { Clock } from '@hermes/runtime';
import type { SessionRecord, SessionStore } from '@hermes/session-db';
import type { ArgumentValidator, ToolList, ToolState } from '@hermes/tool-registry';
import type { EventStream } from '../events/event-stream.ts';
import type { SessionMemory } from './session-memory.ts';
import type { PendingSteer } from './turn-state.ts';

/** Everything a turn reaches outside itself. */
export interface TurnPorts {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly events: EventStream;
  /** The model of new calls; asked once a turn. */
  readonly client: () => ModelClient;
  /** All tools; a session keeps to those it began with. */
  readonly tools: ToolList;
  readonly validator: ArgumentValidator;
  readonly toolState: ToolState;
  readonly memory: SessionMemory;
  /** Renders the system prompt of a session that has none yet. */
  readonly renderPrompt: (session: SessionRecord, tools: ToolList) => Promise<PromptDraft>;
  /** Takes the inputs that were steered into the running turn, in order. */
  readonly takeSteers: () => readonly PendingSteer[];
  readonly holder: string;
  readonly childEnv: Readonly<Record<string, string>>;
  readonly cacheDir: string;
  /** Takes secrets out of what a tool returns, before it is stored, shown or sent. */
  readonly conceal: (text: string) => string;
  readonly limits: TurnLimits;
  readonly random: () => number;
}

export interface PromptDraft {
  readonly prompt: RenderedPrompt;
  /** What the user should know about the prompt: files cut, skipped or refused. */
  readonly notices: readonly string[];
}

export interface TurnLimits {
  /** Attempts after the first for one call (`agent.api_max_retries`). */
  readonly maxRetries: number;
  /** Longest wait for a session that another owner holds, in milliseconds. */
  readonly leaseWaitMs: number;
}
