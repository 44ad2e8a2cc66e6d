import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type Clock, systemClock } from '@hermes/runtime';
import type { ModelClient, ModelRequest, StreamPart } from '../client/model-client.ts';
import { classifyFailure } from '../failure/classify-failure.ts';
import { type CallGuard, guardCall } from '../http/call-guard.ts';
import { type CallLimits, callLimits } from '../http/call-limits.ts';
import { DEFAULT_CONTEXT_WINDOW, type Route } from '../route/route.ts';
import { sdkError } from './failure-of.ts';
import { PartReader } from './read-parts.ts';
import { createPromptConverter } from './to-prompt.ts';

export interface LanguageModelOptions {
  /** Window of the model in tokens. Default 128,000. */
  readonly contextWindow?: number;
  /** Address shown in results and messages; the model object does not tell it. */
  readonly baseUrl?: string;
  /** Limits of one call; the HTTP stack of the model object must not end it earlier. */
  readonly limits?: Partial<CallLimits>;
  readonly clock?: Clock;
}

/**
 * A client over any model object of the AI SDK (`LanguageModelV4`): one request a call, no retries, failures told apart as for every
 * other client. Opaque metadata of a tool call goes back with it.
 *
 * @example
 * import { createAnthropic } from '@ai-sdk/anthropic';
 * const client = fromLanguageModel(createAnthropic({ apiKey })('claude-sonnet-4-5'), { contextWindow: 200_000 });
 */
export function fromLanguageModel(model: LanguageModelV4, options: LanguageModelOptions = {}): ModelClient {
  const route: Route = {
    provider: model.provider,
    model: model.modelId,
    apiMode: 'language_model',
    baseUrl: options.baseUrl ?? `${model.provider}:`,
    contextWindow: options.contextWindow ?? DEFAULT_CONTEXT_WINDOW,
    contextWindowAssumed: options.contextWindow === undefined,
  };
  const toPromptMessage = createPromptConverter();
  const clock = options.clock ?? systemClock;
  return {
    route,
    stream: (request) =>
      stream(model, route, clock, callLimits(route.baseUrl, options.limits), request, (guard) => ({
        prompt: [
          ...(request.system === '' ? [] : [{ role: 'system' as const, content: request.system }]),
          ...request.messages.map(toPromptMessage),
        ],
        tools: request.tools.map(({ name, description, parameters }) => ({
          type: 'function' as const,
          name,
          description,
          inputSchema: parameters as object,
        })),
        toolChoice: { type: request.toolChoice ?? 'auto' },
        ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
        abortSignal: guard.signal,
      })),
  };
}

async function* stream(
  model: LanguageModelV4,
  route: Route,
  clock: Clock,
  limits: CallLimits,
  request: ModelRequest,
  callOptions: (guard: CallGuard) => LanguageModelV4CallOptions,
): AsyncGenerator<StreamPart> {
  request.signal.throwIfAborted();
  const guard = guardCall(request.signal, clock, limits, (limit) =>
    classifyFailure(route, { kind: limit === 'silenceMs' ? 'silent' : 'late', limitMs: limits[limit] }),
  );
  try {
    const { stream: parts } = await model.doStream(callOptions(guard));
    yield* readStream(parts, route, clock, guard);
  } catch (error) {
    if (guard.signal.aborted) throw guard.signal.reason;
    throw sdkError(route, error, clock.now());
  } finally {
    guard.release();
  }
}

async function* readStream(
  parts: ReadableStream<LanguageModelV4StreamPart>,
  route: Route,
  clock: Clock,
  guard: CallGuard,
): AsyncGenerator<StreamPart> {
  const reader = new PartReader();
  for await (const part of parts) {
    guard.served();
    if (part.type === 'error') throw sdkError(route, part.error, clock.now());
    yield* reader.add(part);
    guard.waiting();
  }
  guard.signal.throwIfAborted();
  yield* reader.end();
  if (!reader.finished) throw classifyFailure(route, { kind: reader.empty ? 'empty' : 'cut' });
  yield { type: 'response', response: reader.response() };
}
