import type { Usage } from '@hermes/providers';
import type { Effect, ToolStatus } from '@hermes/tool-registry';
import type { TurnResult } from '../result/turn-result.ts';

/** What happened in a turn, by type. Names and meaning: turn spec 19. Unknown types are to be ignored. */
export type TurnEventBody =
  | { readonly type: 'turn.waiting'; readonly holder: string; readonly elapsedMs: number }
  | {
      readonly type: 'turn.started';
      readonly admissionId: string;
      readonly input: string;
      readonly provider: string;
      readonly model: string;
      readonly limit: number;
    }
  | { readonly type: 'iteration.started'; readonly n: number; readonly limit: number }
  | { readonly type: 'call.started'; readonly call: number; readonly messages: number }
  | { readonly type: 'call.first_part'; readonly call: number; readonly ttftMs: number }
  | {
      readonly type: 'call.ended';
      readonly call: number;
      readonly finish: string;
      readonly ms: number;
      readonly usage?: Usage;
      readonly servedModel?: string;
    }
  | { readonly type: 'text.delta'; readonly text: string }
  /** The text since the last end: the answer, or (`interim`) words beside tool calls. */
  | { readonly type: 'text.end'; readonly channel: 'answer' | 'interim'; readonly text: string }
  /** Text shown since the last end is void and will come again. */
  | { readonly type: 'text.retracted'; readonly cause: string }
  | { readonly type: 'reasoning.delta'; readonly text: string }
  | { readonly type: 'reasoning.end'; readonly text: string }
  | { readonly type: 'tool.generating'; readonly index: number; readonly name: string; readonly bytes: number }
  | {
      readonly type: 'tool.started';
      readonly callId: string;
      readonly name: string;
      readonly summary: string;
      readonly position: number;
    }
  | { readonly type: 'tool.progress'; readonly callId: string; readonly text: string }
  | {
      readonly type: 'tool.ended';
      readonly callId: string;
      readonly name: string;
      readonly status: ToolStatus | 'skipped';
      readonly effect: Effect;
      readonly ms: number;
      readonly preview: string;
      readonly diff?: string;
    }
  /** Only after the row is committed. */
  | {
      readonly type: 'message.appended';
      readonly rowId: number;
      readonly role: 'user' | 'assistant' | 'tool';
      readonly kind: 'input' | 'final' | 'interim' | 'tool_call' | 'tool_result' | 'steer' | 'hidden' | 'boundary';
    }
  | { readonly type: 'input.delivered'; readonly admissionId: string; readonly text: string }
  | {
      readonly type: 'retry.scheduled';
      readonly reason: string;
      readonly attempt: number;
      readonly of: number;
      readonly waitMs: number;
      readonly message: string;
    }
  | {
      readonly type: 'recovery.step';
      readonly ladder: 'empty' | 'truncated' | 'malformed_call';
      readonly n: number;
      readonly of: number;
    }
  | {
      readonly type: 'usage.updated';
      readonly call: Usage;
      readonly total: Usage;
      readonly promptTokens: number;
      readonly window: number;
    }
  | { readonly type: 'lease.lost' }
  | {
      readonly type: 'notice';
      readonly level: 'info' | 'warning' | 'error';
      readonly code: string;
      readonly text: string;
    }
  | { readonly type: 'turn.ended'; readonly result: TurnResult };

/** An event with its envelope. `seq` counts from 1 without a gap within the turn. */
export type TurnEvent = TurnEventBody & {
  readonly v: 1;
  readonly seq: number;
  readonly turnId: string;
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly ts: number;
};

export type TurnEventType = TurnEventBody['type'];
