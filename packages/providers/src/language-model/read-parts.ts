import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { type Piece, ThinkingSplitter } from '../chat-completions/thinking-splitter.ts';
import type { FinishReason, ModelResponse, StreamPart, Usage } from '../client/model-client.ts';
import type { JsonObject, ToolCall } from '../message/message.ts';

const FINISH: Readonly<Record<LanguageModelV4FinishReason['unified'], FinishReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
  error: 'unknown',
  interrupted: 'unknown',
  other: 'unknown',
};

/** Puts one response together from the parts of a stream, and says what of it may be shown at once. */
export class PartReader {
  readonly #splitter = new ThinkingSplitter();
  readonly #calls: ToolCall[] = [];
  readonly #generating = new Map<string, { readonly index: number; readonly name: string; bytes: number }>();
  #text = '';
  #reasoning = '';
  #finish: LanguageModelV4FinishReason | undefined;
  #usage: Usage | undefined;
  #servedModel: string | undefined;

  /** True once the provider has said why it stopped. */
  get finished(): boolean {
    return this.#finish !== undefined && this.#finish.unified !== 'error' && this.#finish.unified !== 'interrupted';
  }

  get empty(): boolean {
    return this.#text === '' && this.#reasoning === '' && this.#calls.length === 0;
  }

  add(part: LanguageModelV4StreamPart): readonly StreamPart[] {
    if (part.type === 'text-delta') return this.#splitter.push(part.delta).map((piece) => this.#piece(piece));
    if (part.type === 'reasoning-delta') {
      return part.delta === '' ? [] : [this.#piece({ channel: 'reasoning', text: part.delta })];
    }
    if (part.type === 'tool-input-start') {
      this.#generating.set(part.id, { index: this.#generating.size, name: part.toolName, bytes: 0 });
      return this.#progress(part.id, '');
    }
    if (part.type === 'tool-input-delta') return this.#progress(part.id, part.delta);
    this.#keep(part);
    return [];
  }

  /** What was held back in case it was the beginning of a tag. */
  end(): readonly StreamPart[] {
    return this.#splitter.end().map((piece) => this.#piece(piece));
  }

  response(): ModelResponse {
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      toolCalls: this.#calls,
      finish: this.#finish ? FINISH[this.#finish.unified] : 'unknown',
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(this.#servedModel === undefined ? {} : { servedModel: this.#servedModel }),
    };
  }

  /** What belongs to the response and is not shown while it streams. */
  #keep(part: LanguageModelV4StreamPart): void {
    if (part.type === 'response-metadata') this.#servedModel = part.modelId ?? this.#servedModel;
    if (part.type === 'finish') {
      this.#finish = part.finishReason;
      this.#usage = usageOf(part.usage);
    }
    if (part.type === 'tool-call') {
      this.#calls.push({
        id: part.toolCallId,
        name: part.toolName,
        argumentsJson: part.input,
        ...(part.providerMetadata === undefined ? {} : { extra: part.providerMetadata as JsonObject }),
      });
    }
  }

  #piece({ channel, text }: Piece): StreamPart {
    if (channel === 'text') {
      this.#text += text;
      return { type: 'text.delta', text };
    }
    this.#reasoning += text;
    return { type: 'reasoning.delta', text };
  }

  #progress(id: string, delta: string): readonly StreamPart[] {
    const call = this.#generating.get(id);
    if (!call) return [];
    call.bytes += Buffer.byteLength(delta);
    return [{ type: 'tool.generating', index: call.index, name: call.name, bytes: call.bytes }];
  }
}

/** Negative and missing counts are zero; a response without any count has no usage (turn spec 18). */
function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | undefined {
  const [cacheRead, cacheWrite] = [count(inputTokens.cacheRead), count(inputTokens.cacheWrite)];
  const total = count(inputTokens.total);
  const output = count(outputTokens.total);
  if (total + output === 0) return undefined;
  const input =
    inputTokens.noCache === undefined ? Math.max(0, total - cacheRead - cacheWrite) : count(inputTokens.noCache);
  return { input, output, cacheRead, cacheWrite, reasoning: count(outputTokens.reasoning) };
}

function count(tokens: number | undefined): number {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}
