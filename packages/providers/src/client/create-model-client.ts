import {
  type ChatCompletionsOptions,
  createChatCompletionsClient,
} from '../chat-completions/chat-completions-client.ts';
import { createDemoClient, type DemoOptions } from '../demo/demo-client.ts';
import type { ConfiguredApiMode, ConfiguredRoute } from '../route/route.ts';
import type { ModelClient } from './model-client.ts';

export type ModelClientOptions = ChatCompletionsOptions & DemoOptions;

const BY_API_MODE: Readonly<
  Record<ConfiguredApiMode, (route: ConfiguredRoute, options: ModelClientOptions) => ModelClient>
> = {
  chat_completions: createChatCompletionsClient,
  demo: createDemoClient,
};

/**
 * The client for a route, by its API mode.
 *
 * @example
 * const client = createModelClient(resolveRoute({}, config, secrets), { proxyEnv });
 */
export function createModelClient(route: ConfiguredRoute, options: ModelClientOptions = {}): ModelClient {
  return BY_API_MODE[route.apiMode](route, options);
}
