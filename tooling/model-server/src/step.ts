/** Token counts as Chat Completions reports them: `prompt_tokens` includes the cached ones. */
export interface WireUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens?: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number };
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number };
}

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  /** Text of the arguments, sent as it stands: it may be broken. */
  readonly arguments: string;
  /** Fields a provider adds to a call beside `id`, `type` and `function`, such as a signature. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A normal answer of the model. Everything is optional: an answer without content is an empty one. */
export interface AnswerStep {
  readonly kind: 'answer';
  readonly reasoning?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  /** Default: `tool_calls` when there are calls, else `stop`. `null` never sends one. */
  readonly finish?: string | null;
  /** Default: an estimate of four bytes a token, with the prefix shared with the request before as cached. `null`: none. */
  readonly usage?: WireUsage | null;
  /** The model the server says it served. Default: the one asked for. */
  readonly model?: string;
  /** Characters a delta. Default: everything in one. */
  readonly chunkSize?: number;
  readonly firstByteDelayMs?: number;
  readonly chunkDelayMs?: number;
  /** Destroys the socket after this many events. */
  readonly cutAfterChunks?: number;
}

/** An answer that is not a stream: errors, web pages. */
export interface HttpStep {
  readonly kind: 'http';
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Bytes written as they stand, for streams that no well-behaved server would send. */
export interface RawStep {
  readonly kind: 'raw';
  readonly contentType?: string;
  readonly chunks: readonly string[];
  /** `close` ends the response, `cut` destroys the socket, `hold` keeps it open and says nothing more. Default `close`. */
  readonly end?: 'close' | 'cut' | 'hold';
}

/** The request is read and never answered. */
export interface SilenceStep {
  readonly kind: 'silence';
}

export type Step = AnswerStep | HttpStep | RawStep | SilenceStep;

/**
 * What the server answers, in order. A function is asked with the index of the request (from 0) and its parsed body.
 *
 * @example
 * const script: Script = [callsStep({ id: 'call_1', name: 'terminal', arguments: '{"command":"true"}' }), textStep('done')];
 */
export type Script = readonly Step[] | ((index: number, body: ChatBody) => Step);

/** A request body that passed validation. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: unknown;
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly WireToolCall[];
  readonly tool_call_id?: string;
}

export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export function textStep(text: string, options: Omit<AnswerStep, 'kind' | 'text'> = {}): AnswerStep {
  return { kind: 'answer', text, ...options };
}

export function callsStep(...toolCalls: readonly ScriptedCall[]): AnswerStep {
  return { kind: 'answer', toolCalls };
}
