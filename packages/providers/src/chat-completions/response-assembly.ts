import type { FinishReason, ModelResponse, StreamPart, Usage } from '../client/model-client.ts';
import { asList, asObject, asText } from '../message/json.ts';
import type { JsonObject, JsonValue } from '../message/message.ts';
import { type Piece, ThinkingSplitter } from './thinking-splitter.ts';
import { type GrowingCall, ToolCallAssembly } from './tool-call-assembly.ts';
import { usageOf } from './wire-usage.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  max_tokens: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

/** How complete an answer is when its stream ends. */
export type Completeness = 'complete' | 'cut' | 'empty';

/**
 * Grows one answer from the events of its stream. Parts for display are collected until they are taken, and pieces of the
 * same kind that arrived together are joined: a fast server costs no more than a slow one.
 *
 * @example
 * const assembly = new ResponseAssembly();
 * assembly.add({ choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] });
 * assembly.takeParts(); // [{ type: 'text.delta', text: 'Hi' }]
 * assembly.response(); // { text: 'Hi', finish: 'stop', … }
 */
export class ResponseAssembly {
  readonly #calls = new ToolCallAssembly();
  readonly #splitter = new ThinkingSplitter();
  #text = '';
  #reasoning = '';
  #finish: string | undefined;
  #refused = false;
  #usage: Usage | undefined;
  #servedModel: string | undefined;
  #pieces: Piece[] = [];
  #growing = new Set<GrowingCall>();

  /** Adds one parsed event, or the body of an answer that was not streamed. */
  add(event: JsonObject): void {
    this.#servedModel ??= asText(event.model);
    this.#usage = usageOf(event.usage) ?? this.#usage;
    const choice = asObject(asList(event.choices)[0]);
    if (choice === undefined) return;
    this.#finish = asText(choice.finish_reason) ?? this.#finish;
    const delta = asObject(choice.delta) ?? asObject(choice.message);
    if (delta !== undefined) this.#addDelta(delta);
  }

  /** What arrived since the last call, in order. */
  takeParts(): StreamPart[] {
    const parts: StreamPart[] = joined(this.#pieces).map(({ channel, text }) => ({ type: `${channel}.delta`, text }));
    for (const { position, name, argumentsJson } of this.#growing) {
      if (name === undefined) continue;
      parts.push({ type: 'tool.generating', index: position, name, bytes: Buffer.byteLength(argumentsJson) });
    }
    this.#pieces = [];
    this.#growing.clear();
    return parts;
  }

  /** No further events will come: releases text that might have become a tag. */
  end(): void {
    this.#addPieces(this.#splitter.end());
  }

  /** @param finished whether the server said that its answer is over */
  completeness(finished: boolean): Completeness {
    const hasOutput = this.#text !== '' || this.#reasoning !== '' || this.#calls.finish().length > 0;
    if (this.#finish !== undefined) return hasOutput || FINISH[this.#finish] !== undefined ? 'complete' : 'empty';
    if (!hasOutput) return 'empty';
    return finished ? 'complete' : 'cut';
  }

  response(): ModelResponse {
    const toolCalls = this.#calls.finish();
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      toolCalls,
      finish: this.#finishReason(toolCalls.length > 0),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(this.#servedModel === undefined ? {} : { servedModel: this.#servedModel }),
    };
  }

  #finishReason(hasCalls: boolean): FinishReason {
    const finish = FINISH[this.#finish ?? 'stop'] ?? 'unknown';
    if (finish !== 'stop') return finish;
    if (hasCalls) return 'tool_calls';
    return this.#refused ? 'content_filter' : 'stop';
  }

  #addDelta(delta: JsonObject): void {
    const reasoning =
      asText(delta.reasoning_content) ?? asText(delta.reasoning) ?? reasoningIn(delta.reasoning_details);
    if (reasoning !== undefined) this.#addPieces([{ channel: 'reasoning', text: reasoning }]);
    for (const piece of contentPieces(delta.content)) {
      this.#addPieces(piece.channel === 'text' ? this.#splitter.push(piece.text) : [piece]);
    }
    const refusal = asText(delta.refusal);
    if (refusal !== undefined) {
      this.#refused = true;
      this.#addPieces(this.#splitter.push(refusal));
    }
    for (const piece of asList(delta.tool_calls)) {
      const call = asObject(piece);
      if (call !== undefined) this.#growing.add(this.#calls.add(call));
    }
  }

  #addPieces(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      if (piece.channel === 'text') this.#text += piece.text;
      else this.#reasoning += piece.text;
      this.#pieces.push(piece);
    }
  }
}

function joined(pieces: readonly Piece[]): Piece[] {
  const runs: { channel: Piece['channel']; text: string }[] = [];
  for (const { channel, text } of pieces) {
    const last = runs.at(-1);
    if (last?.channel === channel) last.text += text;
    else runs.push({ channel, text });
  }
  return runs;
}

/** Content is text, or a list of parts of which some are thinking. */
function contentPieces(content: JsonValue | undefined): Piece[] {
  const text = asText(content);
  if (text !== undefined) return [{ channel: 'text', text }];
  return asList(content).flatMap((part): Piece[] => {
    const piece = asObject(part);
    if (piece?.type === 'text') return contentPieces(piece.text);
    if (piece?.type !== 'thinking') return [];
    return contentPieces(piece.thinking).map((thought) => ({ channel: 'reasoning', text: thought.text }));
  });
}

function reasoningIn(details: JsonValue | undefined): string | undefined {
  const texts = asList(details).flatMap((detail) => {
    const item = asObject(detail);
    return asText(item?.text) ?? asText(item?.summary) ?? [];
  });
  return asText(texts.join(''));
}
