export {
  type ChatCompletionsOptions,
  createChatCompletionsClient,
} from './chat-completions/chat-completions-client.ts';
export { createModelClient, type ModelClientOptions } from './client/create-model-client.ts';
export type {
  FinishReason,
  ModelClient,
  ModelRequest,
  ModelResponse,
  StreamPart,
  Usage,
} from './client/model-client.ts';
export { createDemoClient, DEMO_ROUTE, type DemoOptions } from './demo/demo-client.ts';
export { DEMO_INTENTS, type DemoAction, type DemoIntent, demoHelp } from './demo/demo-intents.ts';
export type { DemoLanguage, DemoText } from './demo/demo-language.ts';
export { FAILURE_TABLE, type FailureRow } from './failure/failure-table.ts';
export { type FailureReason, ProviderError } from './failure/provider-error.ts';
export { type CallLimits, callLimits } from './http/call-limits.ts';
export { LOCAL_PORTS, type LocalServer, type ProbeOptions, probeLocalServers } from './local/probe-local-servers.ts';
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
export { BUILT_IN_PROVIDERS } from './route/known-providers.ts';
export type { ModelConfig, ProviderConfig, RouteConfig } from './route/provider-config.ts';
export { type RouteInput, resolveRoute, type SecretLookup } from './route/resolve-route.ts';
export { type ApiMode, type ConfiguredRoute, DEFAULT_CONTEXT_WINDOW, type Route } from './route/route.ts';
