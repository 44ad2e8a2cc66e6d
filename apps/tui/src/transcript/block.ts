import type { EventPayload } from '@hermes/host/rpc';
import type { OpenMarkdown } from '../markdown/split.ts';

export type ToolState = EventPayload<'tool.complete'>['status'] | 'running';

/** What the transcript is made of. A block is never changed: a newer version of it takes its place. */
export type Block =
  | { readonly kind: 'banner'; readonly version: string; readonly cwd: string }
  | { readonly kind: 'user'; readonly id: string; readonly text: string; readonly steered: boolean }
  | AssistantBlock
  | ReasoningBlock
  | ToolBlock
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  /** What a slash command answered. */
  | { readonly kind: 'output'; readonly command: string; readonly text: string }
  | { readonly kind: 'turn-end'; readonly durationMs: number; readonly tools: number; readonly failed: number };

export interface AssistantBlock {
  readonly kind: 'assistant';
  readonly text: string;
  /** How far the text is split into parts; null for a text that came whole and is split when it is drawn. */
  readonly markdown: OpenMarkdown | null;
  readonly state: 'open' | 'done' | 'interrupted';
}

export interface ReasoningBlock {
  readonly kind: 'reasoning';
  readonly text: string;
  readonly open: boolean;
  readonly startedAt: number;
  /** Null where the duration is not known, as in saved sessions. */
  readonly durationMs: number | null;
}

export interface ToolBlock {
  readonly kind: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly summary: string;
  readonly state: ToolState;
  /** What it reported last while it runs: the newest lines of its output. */
  readonly progress: string;
  readonly preview: string;
  readonly diff: string;
  /** Null while it runs and where the duration is not known. */
  readonly durationMs: number | null;
}

/** Empty lines before a block: tool rows and what belongs to the block above stay together. */
export function gapBefore(block: Block, previous: Block | undefined): 0 | 1 {
  if (!previous || block.kind === 'turn-end') return 0;
  return block.kind === 'tool' && previous.kind === 'tool' ? 0 : 1;
}
