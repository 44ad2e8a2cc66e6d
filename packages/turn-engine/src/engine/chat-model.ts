import { createChatCompletionsClient, DEFAULT_CONTEXT_WINDOW, type ModelClient } from '@hermes/providers';

export interface ChatModelOptions {
  /** Address of the API with its version, e.g. `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Left out for servers that need none. */
  readonly apiKey?: string;
  /** Window of the model in tokens. Default 128,000. */
  readonly contextWindow?: number;
  /** Name shown in results. Default `custom`. */
  readonly provider?: string;
}

/**
 * A model behind any server that speaks Chat Completions. Nothing is contacted before the first call.
 *
 * @example
 * const model = chatModel({ baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen3' });
 */
export function chatModel(options: ChatModelOptions): ModelClient {
  const { baseUrl, model, apiKey, contextWindow, provider } = options;
  return createChatCompletionsClient({
    provider: provider ?? 'custom',
    model,
    apiMode: 'chat_completions',
    baseUrl: baseUrl.replace(/\/+$/u, ''),
    ...(apiKey === undefined ? {} : { apiKey }),
    contextWindow: contextWindow ?? DEFAULT_CONTEXT_WINDOW,
    contextWindowAssumed: contextWindow === undefined,
  });
}
