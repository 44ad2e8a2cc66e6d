import { asObject } from '../message/json.ts';
import type { AssistantMessage, ContentPart, JsonObject, Message, ToolCall, ToolSchema } from '../message/message.ts';
import type { Dialect } from './dialect.ts';

/**
 * One message as Chat Completions wants it. Pure: the same message gives the same object with the same order of keys,
 * because that order is part of the cached prefix.
 */
export function wireMessage(message: Message, dialect: Dialect): JsonObject {
  if (message.role === 'user') return { role: 'user', content: userContent(message.content) };
  if (message.role === 'assistant') return assistantMessage(message, dialect);
  return { role: 'tool', tool_call_id: message.toolCallId, content: wellFormed(message.content) };
}

/** The system prompt, which travels as the first message. */
export function wireSystem(system: string): JsonObject {
  return { role: 'system', content: wellFormed(system) };
}

export function wireTool({ name, description, parameters }: ToolSchema): JsonObject {
  return { type: 'function', function: { name, description, parameters } };
}

function userContent(content: string | readonly ContentPart[]): string | readonly JsonObject[] {
  if (typeof content === 'string') return wellFormed(content);
  return content.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: wellFormed(part.text) }
      : { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  );
}

function assistantMessage({ content, toolCalls = [], reasoning }: AssistantMessage, dialect: Dialect): JsonObject {
  const text = wellFormed(content);
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...(dialect.echoesReasoning ? { reasoning_content: echoed(reasoning) } : {}),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(wireCall) }),
  };
}

/** Servers that want reasoning back refuse an empty one; a single space stands for none. Source: turn engine spec 13. */
function echoed(reasoning = ''): string {
  return reasoning === '' ? ' ' : wellFormed(reasoning);
}

/** The arguments go back exactly as they came, broken or not, and so does what the provider added to the call. */
function wireCall({ id, name, argumentsJson, extra = {} }: ToolCall): JsonObject {
  const { function: addedToFunction, ...added } = extra;
  return {
    id,
    type: 'function',
    function: { name, arguments: argumentsJson, ...asObject(addedToFunction) },
    ...added,
  };
}

/** Half a character pair cannot be sent as UTF-8, and strict servers refuse its escape. */
function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
