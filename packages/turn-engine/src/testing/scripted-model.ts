import {
  type ModelClient,
  type ModelRequest,
  type ModelResponse,
  ProviderError,
  type Route,
  type StreamPart,
  type ToolCall,
  type Usage,
} from '@hermes/providers';

/** What the fake model does when it is called. */
export interface ScriptedStep {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string; readonly args: unknown; readonly id?: string }[];
  /** Raw arguments text of one more call, for broken JSON. */
  readonly rawCall?: { readonly name: string; readonly argumentsJson: string };
  readonly finish?: ModelResponse['finish'];
  readonly usage?: Partial<Usage>;
  /** Thrown after the text, if any, was streamed. */
  readonly error?: ProviderError;
  /** Awaited after the text was streamed; the request's signal ends the wait. */
  readonly until?: Promise<unknown>;
}

export type Script = readonly ScriptedStep[] | ((request: ModelRequest, index: number) => ScriptedStep);

const ROUTE: Route = {
  provider: 'scripted',
  model: 'scripted',
  apiMode: 'chat_completions',
  baseUrl: 'scripted:',
  contextWindow: 128_000,
  contextWindowAssumed: false,
};

/**
 * A fake provider: plays a script and keeps every request. A list that has run out answers `done`.
 *
 * @example
 * const model = new ScriptedModel([{ calls: [{ name: 'add', args: { a: 1, b: 2 } }] }, { text: '3' }]);
 */
export class ScriptedModel implements ModelClient {
  readonly route: Route;
  readonly requests: ModelRequest[] = [];
  readonly #script: Script;

  constructor(script: Script, route: Partial<Route> = {}) {
    this.#script = script;
    this.route = { ...ROUTE, ...route };
  }

  async *stream(request: ModelRequest): AsyncGenerator<StreamPart> {
    const index = this.requests.length;
    this.requests.push({ ...request, messages: [...request.messages] });
    const step =
      typeof this.#script === 'function' ? this.#script(request, index) : (this.#script[index] ?? { text: 'done' });
    request.signal.throwIfAborted();
    if (step.reasoning) yield { type: 'reasoning.delta', text: step.reasoning };
    for (const word of step.text?.match(/\S+\s*|\s+/gu) ?? []) yield { type: 'text.delta', text: word };
    if (step.until) await settled(step.until, request.signal);
    if (step.error) throw step.error;
    yield { type: 'response', response: responseOf(step, index) };
  }
}

function responseOf(step: ScriptedStep, index: number): ModelResponse {
  const toolCalls: ToolCall[] = (step.calls ?? []).map((call, position) => ({
    id: call.id ?? `call_${index}_${position}`,
    name: call.name,
    argumentsJson: JSON.stringify(call.args),
  }));
  if (step.rawCall) toolCalls.push({ id: `call_${index}_raw`, ...step.rawCall });
  return {
    text: step.text ?? '',
    reasoning: step.reasoning ?? '',
    toolCalls,
    finish: step.finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0, ...step.usage },
    servedModel: 'scripted',
  };
}

async function settled(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(() => resolve(), reject);
  });
}
