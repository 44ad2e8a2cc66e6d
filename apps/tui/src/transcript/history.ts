import type { MethodResult } from '@hermes/host/rpc';
import type { Block } from './block.ts';

type HistoryBlock = MethodResult<'session.history'>['blocks'][number];

/** Saved blocks as the transcript shows them. */
export function blocksOfHistory(history: readonly HistoryBlock[]): Block[] {
  return history.flatMap(toBlocks);
}

function toBlocks(saved: HistoryBlock): Block[] {
  switch (saved.kind) {
    case 'user':
      return [{ kind: 'user', id: `row-${saved.row_id}`, text: saved.text, steered: false }];
    case 'assistant':
      return [
        ...(saved.reasoning === '' ? [] : [reasoning(saved.reasoning)]),
        ...(saved.text === '' ? [] : [assistant(saved.text, 'done')]),
      ];
    case 'interrupted':
      return [assistant(saved.text, 'interrupted')];
    case 'tool':
      return [
        {
          kind: 'tool',
          callId: saved.call_id,
          name: saved.name,
          summary: saved.summary,
          state: saved.status,
          progress: '',
          preview: saved.preview,
          diff: '',
          durationMs: null,
        },
      ];
    case 'notice':
      return [{ kind: 'notice', level: 'info', text: saved.text }];
  }
}

function reasoning(text: string): Block {
  return { kind: 'reasoning', text, open: false, startedAt: 0, durationMs: null };
}

function assistant(text: string, state: 'done' | 'interrupted'): Block {
  return { kind: 'assistant', text, markdown: null, state };
}
