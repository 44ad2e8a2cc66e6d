import type { ChatBody, ChatMessage, WireToolCall } from './step.ts';

/** What is wrong with a request, in the words a strict server would use. */
export interface Complaint {
  readonly param: string;
  readonly message: string;
}

type Fields = Readonly<Record<string, unknown>>;

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MESSAGE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'tool_calls', 'reasoning_content', 'refusal'],
  tool: ['role', 'content', 'tool_call_id'],
};

/**
 * Checks a parsed request body as the strictest of the real servers would: known roles and fields, instructions first,
 * users and assistants in turn, every tool call answered by a tool message right after it, ids known, arguments as text.
 *
 * @returns the first complaint, or `undefined` for a body that any server accepts
 */
export function complaintAbout(body: unknown): Complaint | undefined {
  if (!isFields(body)) return { param: 'body', message: 'The body must be a JSON object.' };
  if (!isText(body.model) || body.model === '') return { param: 'model', message: 'You must provide a model.' };
  return complaintAboutTools(body) ?? complaintAboutMessages(body.messages);
}

/** Narrows a body that `complaintAbout` has nothing to say about. */
export function isChatBody(body: unknown): body is ChatBody {
  return complaintAbout(body) === undefined;
}

function complaintAboutTools(body: Fields): Complaint | undefined {
  const { tools, tool_choice: choice } = body;
  if (tools === undefined) {
    return choice === undefined ? undefined : { param: 'tool_choice', message: "'tool_choice' needs 'tools'." };
  }
  if (!Array.isArray(tools) || tools.length === 0) {
    return { param: 'tools', message: "'tools' must be a list with at least one entry." };
  }
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const param = `tools[${index}]`;
    const definition: unknown = isFields(tool) && tool.type === 'function' ? tool.function : undefined;
    if (!isFields(definition) || !isText(definition.name) || !NAME.test(definition.name)) {
      return { param, message: 'A tool needs the type "function" and a name of letters, digits, _ and -.' };
    }
    if (!isFields(definition.parameters) || definition.parameters.type !== 'object') {
      return { param, message: 'The parameters of a tool must be a JSON Schema of type object.' };
    }
    if (names.has(definition.name)) return { param, message: `Duplicate tool name ${definition.name}.` };
    names.add(definition.name);
  }
  return undefined;
}

function complaintAboutMessages(messages: unknown): Complaint | undefined {
  if (!Array.isArray(messages) || messages.length === 0) {
    return { param: 'messages', message: "'messages' must be a list with at least one entry." };
  }
  let before: ChatMessage | undefined;
  const waiting = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const param = `messages[${index}]`;
    const wrong = complaintAboutShape(message) ?? complaintAboutOrder(message, before, index, waiting);
    if (wrong !== undefined) return { param, message: wrong };
    for (const call of message.tool_calls ?? []) waiting.add(call.id);
    if (message.role === 'tool') waiting.delete(message.tool_call_id);
    before = message;
  }
  if (waiting.size > 0) return { param: 'messages', message: unanswered(waiting) };
  if (before?.role !== 'user' && before?.role !== 'tool') {
    return { param: 'messages', message: 'The last message must come from the user or a tool.' };
  }
  return undefined;
}

function complaintAboutShape(message: unknown): string | undefined {
  if (!isFields(message) || !isText(message.role)) return 'A message needs a role.';
  const allowed = MESSAGE_FIELDS[message.role];
  if (allowed === undefined) return `Unknown role ${message.role}.`;
  const unknown = Object.keys(message).find((field) => !allowed.includes(field));
  if (unknown !== undefined) return `Unrecognized field ${unknown} in a message of the role ${message.role}.`;
  if (message.role === 'assistant') return complaintAboutAssistant(message);
  if (!isContent(message.content)) return `The content of a ${message.role} message must be text or parts.`;
  if (message.role === 'tool' && !isText(message.tool_call_id)) return 'A tool message needs a tool_call_id.';
  return undefined;
}

function complaintAboutAssistant(message: Fields): string | undefined {
  const { tool_calls: calls, content } = message;
  if (calls === undefined) return isContent(content) ? undefined : 'An assistant message needs content or tool calls.';
  if (!Array.isArray(calls) || calls.length === 0) return "'tool_calls' must be a list with at least one entry.";
  if (content !== null && content !== undefined && !isContent(content)) return 'Content must be text, parts or null.';
  const wrong = calls.find((call) => !isWireToolCall(call));
  if (wrong !== undefined) {
    return 'A tool call needs an id, the type "function", and a function with a name and arguments as text.';
  }
  return new Set(calls.map((call: WireToolCall) => call.id)).size === calls.length
    ? undefined
    : 'Duplicate tool call id.';
}

function complaintAboutOrder(
  message: ChatMessage,
  before: ChatMessage | undefined,
  index: number,
  waiting: ReadonlySet<string>,
): string | undefined {
  const { role } = message;
  if (role === 'tool') {
    return waiting.has(message.tool_call_id ?? '')
      ? undefined
      : `tool_call_id ${message.tool_call_id} answers no open tool call of the assistant message before it.`;
  }
  if (waiting.size > 0) return unanswered(waiting);
  if (role === 'system' || role === 'developer') {
    return index === 0 ? undefined : 'Instructions must come first.';
  }
  const first = before === undefined || before.role === 'system' || before.role === 'developer';
  if (first) return role === 'user' ? undefined : 'The first message after the instructions must come from the user.';
  return role === before.role ? `Roles must alternate: two messages of the role ${role} in a row.` : undefined;
}

function unanswered(waiting: ReadonlySet<string>): string {
  return `An assistant message with tool_calls must be followed by tool messages for each of them; missing: ${[...waiting].join(', ')}.`;
}

function isWireToolCall(call: unknown): call is WireToolCall {
  if (!isFields(call) || !isText(call.id) || call.id === '' || call.type !== 'function') return false;
  const named = call.function;
  return isFields(named) && isText(named.name) && NAME.test(named.name) && isText(named.arguments);
}

function isContent(content: unknown): boolean {
  return isText(content) || (Array.isArray(content) && content.length > 0 && content.every(isPart));
}

function isPart(part: unknown): boolean {
  if (!isFields(part)) return false;
  if (part.type === 'text') return isText(part.text);
  return part.type === 'image_url' && isFields(part.image_url) && isText(part.image_url.url);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
