export type {
  FinishReason,
  ModelClient,
  ModelRequest,
  ModelResponse,
  StreamPart,
  Usage,
} from './client/model-client.ts';
export { type FailureReason, ProviderError } from './failure/provider-error.ts';
export type {
  AssistantMessage,
  ContentPart,
  JsonObject,
  JsonValue,
  Message,
  ToolCall,
  ToolMessage,
  ToolSchema,
  UserMessage,
} from './message/message.ts';
export { type ApiMode, DEFAULT_CONTEXT_WINDOW, type Route } from './route/route.ts';
