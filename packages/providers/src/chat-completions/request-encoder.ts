import type { ModelRequest } from '../client/model-client.ts';
import type { Message, ToolSchema } from '../message/message.ts';
import type { Route } from '../route/route.ts';
import { dialectOf } from './dialect.ts';
import { wireMessage, wireSystem, wireTool } from './wire-message.ts';

const COMMA = Buffer.from(',');

/**
 * Turns requests into the bytes of their bodies. What was made of a message, a tool or the system prompt is kept, so a
 * request costs no more than what is new in it. Messages stand last but for what belongs to a single call: each body is
 * the body before it plus the new messages.
 *
 * @example
 * const encoder = createRequestEncoder(route);
 * encoder(request).equals(encoder(request)); // true
 */
export function createRequestEncoder(route: Route): (request: ModelRequest) => Buffer {
  const dialect = dialectOf(route);
  const head = `{"model":${JSON.stringify(route.model)},"stream":true,"stream_options":{"include_usage":true}`;
  const messageBytes = remembered((message: Message) => wireMessage(message, dialect));
  const toolBytes = remembered((tool: ToolSchema) => wireTool(tool));
  let system: { readonly text: string; readonly bytes: Buffer } | undefined;

  const systemBytes = (text: string): readonly Buffer[] => {
    if (text === '') return [];
    if (system?.text !== text) system = { text, bytes: jsonBytes(wireSystem(text)) };
    return [system.bytes];
  };

  return (request) => {
    const tools = request.tools.map(toolBytes);
    const tail = [
      tools.length > 0 && request.toolChoice === 'none' ? ',"tool_choice":"none"' : '',
      request.maxOutputTokens === undefined ? '' : `,"${dialect.maxTokensField}":${request.maxOutputTokens}`,
    ];
    return Buffer.concat([
      Buffer.from(tools.length === 0 ? `${head},"messages":[` : `${head},"tools":[`),
      ...separated(tools),
      ...(tools.length === 0 ? [] : [Buffer.from('],"messages":[')]),
      ...separated([...systemBytes(request.system), ...request.messages.map(messageBytes)]),
      Buffer.from(`]${tail.join('')}}`),
    ]);
  };
}

function remembered<T extends object>(convert: (value: T) => unknown): (value: T) => Buffer {
  const known = new WeakMap<T, Buffer>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const bytes = jsonBytes(convert(value));
    known.set(value, bytes);
    return bytes;
  };
}

function separated(items: readonly Buffer[]): Buffer[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
