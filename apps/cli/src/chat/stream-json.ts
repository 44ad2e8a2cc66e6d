import type { TurnEvent, TurnEventListener, TurnResult } from '@hermes/turn-engine';
import { usageReport } from '../output/usage-report.ts';
import { writeOut } from '../output/write-out.ts';

/** Version of the lines below; a line type that a reader does not know is to be ignored. */
const STREAM_JSON_VERSION = 1;

/** One line of `chat --format stream-json` (CLI spec 3.2). `result` comes last, once. */
export type StreamJsonLine =
  | {
      readonly type: 'session';
      readonly v: number;
      readonly session_id: string;
      readonly model: string;
      readonly provider: string;
    }
  | { readonly type: 'text.delta'; readonly text: string }
  | { readonly type: 'reasoning.delta'; readonly text: string }
  | { readonly type: 'tool.start'; readonly call_id: string; readonly name: string; readonly summary: string }
  | {
      readonly type: 'tool.end';
      readonly call_id: string;
      readonly name: string;
      readonly status: string;
      readonly effect: string;
      readonly ms: number;
      readonly preview: string;
    }
  | { readonly type: 'notice'; readonly level: string; readonly code: string; readonly text: string }
  | {
      readonly type: 'usage';
      readonly input: number;
      readonly output: number;
      readonly cache_read: number;
      readonly cache_write: number;
      readonly reasoning: number;
    }
  | ({
      readonly type: 'result';
      readonly exit_code: number;
      readonly final_text: string;
      readonly explanation: string;
    } & ReturnType<typeof usageReport>);

/** Writes the events of one turn as JSON Lines on stdout. */
export function streamJson(sessionId: string): {
  readonly listener: TurnEventListener;
  end(result: TurnResult, exitCode: number): Promise<void>;
} {
  let written: Promise<void> = Promise.resolve();
  const write = (line: StreamJsonLine) => {
    written = writeOut(`${JSON.stringify(line)}\n`);
  };
  return {
    listener: (event) => {
      for (const line of linesOf(event, sessionId)) write(line);
    },
    end: async (result, exitCode) => {
      const { explanation, finalText } = result;
      write({ type: 'result', ...usageReport(result), exit_code: exitCode, final_text: finalText, explanation });
      await written;
    },
  };
}

function linesOf(event: TurnEvent, sessionId: string): readonly StreamJsonLine[] {
  switch (event.type) {
    case 'turn.started':
      return [
        {
          type: 'session',
          v: STREAM_JSON_VERSION,
          session_id: sessionId,
          model: event.model,
          provider: event.provider,
        },
      ];
    case 'text.delta':
    case 'reasoning.delta':
      return [{ type: event.type, text: event.text }];
    case 'tool.started':
      return [{ type: 'tool.start', call_id: event.callId, name: event.name, summary: event.summary }];
    case 'tool.ended': {
      const { callId, name, status, effect, ms, preview } = event;
      return [{ type: 'tool.end', call_id: callId, name, status, effect, ms, preview }];
    }
    case 'notice':
      return [{ type: 'notice', level: event.level, code: event.code, text: event.text }];
    case 'retry.scheduled':
      return [{ type: 'notice', level: 'warning', code: 'retry', text: event.message }];
    case 'text.retracted':
      return [
        { type: 'notice', level: 'info', code: 'text_retracted', text: 'The text so far is void and comes again.' },
      ];
    case 'usage.updated': {
      const { input, output, cacheRead, cacheWrite, reasoning } = event.total;
      return [{ type: 'usage', input, output, cache_read: cacheRead, cache_write: cacheWrite, reasoning }];
    }
    case 'turn.waiting':
    case 'iteration.started':
    case 'call.started':
    case 'call.first_part':
    case 'call.ended':
    case 'text.end':
    case 'reasoning.end':
    case 'tool.generating':
    case 'tool.progress':
    case 'message.appended':
    case 'input.delivered':
    case 'recovery.step':
    case 'lease.lost':
    case 'turn.ended':
      return [];
  }
}
