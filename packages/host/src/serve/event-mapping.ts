import type { TurnEvent } from '@hermes/turn-engine';
import type { EventPayload, EventType } from '../rpc/contract.ts';

/** An event for the wire, before it has its number. */
export type OutgoingEvent = { [T in EventType]: { readonly type: T; readonly payload: EventPayload<T> } }[EventType];

/**
 * What doors hear of an engine event (CLI spec 8.1). Events that only concern the run become a `status.update`, or nothing.
 */
export function toRpcEvents(event: TurnEvent): readonly OutgoingEvent[] {
  const turn = { turn_id: event.turnId };
  switch (event.type) {
    case 'turn.started':
      return [
        {
          type: 'admission.updated',
          payload: { admission_id: event.admissionId, state: 'started', text: event.input },
        },
        { type: 'message.start', payload: { ...turn, admission_id: event.admissionId, text: event.input } },
        { type: 'status.update', payload: { kind: 'working', text: 'thinking' } },
      ];
    case 'turn.waiting':
      return [{ type: 'status.update', payload: { kind: 'waiting', text: `waiting for ${event.holder}` } }];
    case 'text.delta':
      return [{ type: 'message.delta', payload: { ...turn, text: event.text } }];
    case 'text.end':
      return event.channel === 'interim' ? [{ type: 'message.interim', payload: { ...turn, text: event.text } }] : [];
    case 'text.retracted':
      return [{ type: 'message.retracted', payload: { ...turn, cause: event.cause } }];
    case 'reasoning.delta':
      return [{ type: 'reasoning.delta', payload: { ...turn, text: event.text } }];
    case 'reasoning.end':
      return [{ type: 'reasoning.available', payload: { ...turn, text: event.text } }];
    case 'tool.generating':
      return [
        { type: 'tool.generating', payload: { ...turn, index: event.index, name: event.name, bytes: event.bytes } },
      ];
    case 'tool.started': {
      const { name, summary, position } = event;
      return [{ type: 'tool.start', payload: { ...turn, call_id: event.callId, name, summary, position } }];
    }
    case 'tool.progress':
      return [{ type: 'tool.progress', payload: { ...turn, call_id: event.callId, text: event.text } }];
    case 'tool.ended':
      return [{ type: 'tool.complete', payload: { ...turn, ...toolComplete(event) } }];
    case 'input.delivered':
      return [
        {
          type: 'admission.updated',
          payload: { admission_id: event.admissionId, state: 'delivered', text: event.text },
        },
      ];
    case 'retry.scheduled':
      return [{ type: 'status.update', payload: { kind: 'retrying', text: retryText(event) } }];
    case 'usage.updated':
      return [
        {
          type: 'session.usage',
          payload: {
            ...turn,
            usage: toRpcUsage(event.total),
            context_tokens: event.promptTokens,
            context_window: event.window,
          },
        },
      ];
    case 'notice':
      return [{ type: 'notice', payload: { level: event.level, code: event.code, text: event.text } }];
    case 'lease.lost':
      return [
        {
          type: 'notice',
          payload: { level: 'warning', code: 'lease_lost', text: 'Another process took over this session.' },
        },
      ];
    case 'turn.ended':
      return [
        { type: 'message.complete', payload: { ...turn, ...messageComplete(event) } },
        { type: 'status.update', payload: { kind: 'idle', text: '' } },
      ];
    case 'iteration.started':
    case 'call.started':
    case 'call.first_part':
    case 'call.ended':
    case 'message.appended':
    case 'recovery.step':
      return [];
  }
}

function toolComplete(event: Extract<TurnEvent, { type: 'tool.ended' }>) {
  return {
    call_id: event.callId,
    name: event.name,
    status: event.status,
    duration_ms: event.ms,
    preview: event.preview,
    ...(event.diff === undefined ? {} : { inline_diff: event.diff }),
  };
}

function messageComplete({ result }: Extract<TurnEvent, { type: 'turn.ended' }>) {
  return {
    status: result.outcome,
    end_reason: result.endReason.code,
    text: result.finalText,
    explanation: result.explanation === '' ? null : result.explanation,
    usage: toRpcUsage(result.usage),
    api_calls: result.apiCalls,
    duration_ms: result.durationMs,
  };
}

function retryText(event: Extract<TurnEvent, { type: 'retry.scheduled' }>): string {
  const seconds = Math.round(event.waitMs / 1000);
  return `${event.reason}: trying again in ${seconds} s (${event.attempt} of ${event.of})`;
}

interface UsageFields {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

function toRpcUsage({
  input,
  output,
  cacheRead,
  cacheWrite,
  reasoning,
}: UsageFields): EventPayload<'session.usage'>['usage'] {
  return { input, output, cache_read: cacheRead, cache_write: cacheWrite, reasoning };
}
