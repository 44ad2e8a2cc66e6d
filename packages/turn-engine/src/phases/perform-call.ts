import type { ModelResponse, StreamPart, Usage } from '@hermes/providers';
import { ProviderError } from '@hermes/providers';
import { addUsage, NO_USAGE } from '../result/turn-result.ts';
import type { TurnPorts } from '../turn/ports.ts';
import type { TurnState } from '../turn/turn-state.ts';

/** One request: streams it to whoever watches and leaves the whole response in the state. Throws what the client throws. */
export async function performCall(state: TurnState, ports: TurnPorts): Promise<void> {
  const { request } = state;
  if (!request) throw new Error('performCall ran before assembleRequest');
  const call = ++state.apiCalls;
  const started = ports.clock.monotonic();
  const elapsed = () => Math.round(ports.clock.monotonic() - started);
  state.streamedText = '';
  state.sentSinceLastRow = true;
  ports.events.emit({ type: 'call.started', call, messages: request.messages.length });

  // While the model thinks; the request goes out first.
  const warmUp = setImmediate(() => void ports.validator.warmUp());
  let response: ModelResponse | undefined;
  let first = true;
  for await (const part of state.client.stream(request)) {
    if (first) ports.events.emit({ type: 'call.first_part', call, ttftMs: elapsed() });
    first = false;
    if (part.type === 'response') response = part.response;
    else show(part, state, ports);
  }
  clearImmediate(warmUp);
  state.signal.throwIfAborted();
  if (!response) {
    throw new ProviderError('invalid_response', 'The model ended its answer without finishing it.', {
      retryable: true,
    });
  }
  state.response = response;
  state.servedModel = response.servedModel;
  countCall(response.usage, state, ports);
  if (response.reasoning !== '') ports.events.emit({ type: 'reasoning.end', text: response.reasoning });
  ports.events.emit({
    type: 'call.ended',
    call,
    finish: response.finish,
    ms: elapsed(),
    ...(response.usage ? { usage: response.usage } : {}),
    ...(response.servedModel === undefined ? {} : { servedModel: response.servedModel }),
  });
}

function show(part: Exclude<StreamPart, { type: 'response' }>, state: TurnState, ports: TurnPorts): void {
  if (part.type === 'text.delta') {
    state.streamedText += part.text;
    ports.events.emit({ type: 'text.delta', text: part.text });
  } else if (part.type === 'reasoning.delta') {
    ports.events.emit({ type: 'reasoning.delta', text: part.text });
  } else {
    ports.events.emit({ type: 'tool.generating', index: part.index, name: part.name, bytes: part.bytes });
  }
}

/** Counts the call, and its spend where the provider tells it. */
function countCall(usage: Usage | undefined, state: TurnState, ports: TurnPorts): void {
  const waiting = state.unrecorded ?? { usage: NO_USAGE, requests: 0 };
  state.unrecorded = { usage: addUsage(waiting.usage, usage ?? NO_USAGE), requests: waiting.requests + 1 };
  if (!usage) return;
  state.usage = addUsage(state.usage, usage);
  state.lastPromptTokens = usage.input + usage.cacheRead + usage.cacheWrite;
  ports.events.emit({
    type: 'usage.updated',
    call: usage,
    total: state.usage,
    promptTokens: state.lastPromptTokens,
    window: state.client.route.contextWindow,
  });
}
