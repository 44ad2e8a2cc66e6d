/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/**
 * One call of a tool, as the model asked for it. `argumentsJson` is the raw text of the arguments: it may be broken, and it is
 * sent back byte for byte. `extra` holds opaque provider fields (signatures, metadata) that must be returned unchanged.
 */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
  readonly extra?: JsonObject;
}

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string };

export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly ContentPart[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  /** Visible text; empty when the message only calls tools. */
  readonly content: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly reasoning?: string;
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: string;
}

/**
 * The internal message shape: what every package below a door speaks, and what every API mode is converted from and to.
 * The system prompt is not a message: it travels beside them.
 *
 * @example
 * const messages: Message[] = [{ role: 'user', content: 'list the files here' }];
 */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** A tool as the model sees it. `parameters` is a JSON Schema of type object. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}
