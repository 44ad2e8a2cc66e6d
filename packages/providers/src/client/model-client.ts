import type { Message, ToolCall, ToolSchema } from '../message/message.ts';
import type { Route } from '../route/route.ts';

/** Token counts of one response. `input` excludes cached tokens: prompt = input + cacheRead + cacheWrite. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

/** Why the model stopped. `unknown` is a finish reason this version does not know. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'unknown';

export interface ModelRequest {
  readonly system: string;
  /** Must be treated as immutable: a client may cache what it derived from a message object. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  /** `none` forbids calls and keeps the tool list in place, so that the cached prefix survives. Default `auto`. */
  readonly toolChoice?: 'auto' | 'none';
  readonly maxOutputTokens?: number;
  readonly signal: AbortSignal;
}

export interface ModelResponse {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: FinishReason;
  /** Absent when the provider reported none. */
  readonly usage?: Usage;
  /** The model the provider says it served. */
  readonly servedModel?: string;
}

/** One piece of a streamed response. `response` is always the last one of a stream that did not throw. */
export type StreamPart =
  | { readonly type: 'text.delta'; readonly text: string }
  | { readonly type: 'reasoning.delta'; readonly text: string }
  /** Arguments of a call are arriving; for display only. `bytes` counts what has arrived so far. */
  | { readonly type: 'tool.generating'; readonly index: number; readonly name: string; readonly bytes: number }
  | { readonly type: 'response'; readonly response: ModelResponse };

/**
 * Access to one model over one route.
 *
 * Contract: `stream` performs exactly one request and never retries. It throws a `ProviderError` for every failure that came from
 * the provider or the network, and the signal's reason when the signal aborted. It sends the same bytes for the same input.
 *
 * @example
 * for await (const part of client.stream({ system, messages, tools, signal })) {
 *   if (part.type === 'text.delta') process.stdout.write(part.text);
 * }
 */
export interface ModelClient {
  readonly route: Route;
  stream(request: ModelRequest): AsyncIterable<StreamPart>;
}
