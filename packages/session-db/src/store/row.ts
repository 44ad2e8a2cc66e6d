import type { JsonValue, ToolCall } from '@hermes/providers';

export type RowRole = 'user' | 'assistant' | 'tool';

/**
 * How a row is shown. `hidden`: the model sees it, people do not. `interrupted_partial`: what people saw of an abandoned answer,
 * never on the wire. `failed_turn`: closes a turn that ended without an answer.
 */
export type DisplayKind = 'hidden' | 'interrupted_partial' | 'failed_turn';

/** What a tool call changed, as far as anyone knows (turn spec 6). */
export type EffectDisposition = 'none' | 'done' | 'maybe' | 'unknown';

/** A transcript row to be appended. */
export interface NewRow {
  readonly role: RowRole;
  /** What was said or returned; shown, searched, exported. */
  readonly content: string;
  /** What was sent in this slot when it differs from `content`. */
  readonly apiContent?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly reasoning?: string;
  readonly finishReason?: string;
  readonly effect?: EffectDisposition;
  readonly displayKind?: DisplayKind;
  /** Small facts for the screen, e.g. a diff; never sent to a model. */
  readonly displayMetadata?: JsonValue;
}

/** A committed row. Nothing of it changes any more. */
export interface StoredRow extends NewRow {
  /** Order of the transcript; unique in the store. */
  readonly id: number;
  readonly sessionId: string;
  readonly turnId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}
