import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { AssistantMessage, ContentPart, Message, ToolCall, UserMessage } from '../message/message.ts';

/**
 * A converter from messages to the AI SDK's prompt. What was made of a message is kept, so that a longer conversation costs only what
 * is new in it.
 */
export function createPromptConverter(): (message: Message) => LanguageModelV4Message {
  const known = new WeakMap<Message, LanguageModelV4Message>();
  return (message) => {
    const before = known.get(message);
    if (before) return before;
    const made = toPromptMessage(message);
    known.set(message, made);
    return made;
  };
}

function toPromptMessage(message: Message): LanguageModelV4Message {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: userParts(message) };
    case 'assistant':
      return { role: 'assistant', content: assistantParts(message) };
    case 'tool': {
      const { toolCallId, toolName, content } = message;
      return {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: content } }],
      };
    }
  }
}

function userParts({ content }: UserMessage): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map(toPart);
}

function toPart(part: ContentPart): LanguageModelV4TextPart | LanguageModelV4FilePart {
  if (part.type === 'text') return { type: 'text', text: part.text };
  return { type: 'file', mediaType: part.mimeType, data: { type: 'data', data: part.data } };
}

function assistantParts({ content, toolCalls = [] }: AssistantMessage) {
  const text = content === '' ? [] : [{ type: 'text' as const, text: content }];
  return [...text, ...toolCalls.map(toCallPart)];
}

/** Arguments go back as the text they came as; packages that want an object read it. */
function toCallPart({ id, name, argumentsJson, extra }: ToolCall) {
  return {
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: argumentsJson,
    ...(extra === undefined ? {} : { providerOptions: extra as SharedV4ProviderOptions }),
  };
}
