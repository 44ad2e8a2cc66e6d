import type { JsonObject } from '@hermes/providers';
import { type ToolDefinition, toolOutcome } from '@hermes/tool-registry';
import type { MemoryAnswer, MemoryChange, MemoryStore, MemoryTarget, MemoryUsage } from './memory-store.ts';

/** The `memory` tool over a store (learning spec 3.2). Successful answers are short: a list of all entries would provoke repeats. */
export function memoryTool(store: MemoryStore, targets: readonly MemoryTarget[]): ToolDefinition {
  return {
    name: 'memory',
    toolset: 'memory',
    description:
      'Keep lasting facts across sessions. target memory: environment, conventions, tool quirks; target user: who the user is and what they prefer. Changes show in the prompt of the next session. No secrets, no task progress.',
    parameters: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: ['add', 'replace', 'remove', 'read'] },
        target: { type: 'string', enum: [...targets], default: targets[0] ?? 'memory' },
        content: { type: 'string', description: 'The new entry (add, replace).' },
        old_text: { type: 'string', description: 'The entry to replace or remove, or a part only it has.' },
      },
      required: ['action'],
      additionalProperties: false,
    },
    parallel: 'barrier',
    effect: 'local',
    summarize: (args) => [args.action, args.content ?? args.old_text ?? ''].map(String).join(' ').trim(),
    handler: async (args) => {
      const target: MemoryTarget = args.target === 'user' ? 'user' : 'memory';
      if (args.action === 'read') {
        const entries = await store.entries(target);
        return toolOutcome({
          content: JSON.stringify({ success: true, target, entries }),
          effect: 'none',
          preview: `${entries.length} entries`,
        });
      }
      const answer = await store.change(target, changeOf(args));
      return toolOutcome({
        content: JSON.stringify(resultOf(answer, target)),
        effect: answer.ok ? 'done' : 'none',
        preview: answer.ok ? answer.message : answer.error,
      });
    },
  };
}

function changeOf(args: JsonObject): MemoryChange {
  const content = typeof args.content === 'string' ? args.content : '';
  const oldText = typeof args.old_text === 'string' ? args.old_text : '';
  if (args.action === 'replace') return { action: 'replace', oldText, content };
  if (args.action === 'remove') return { action: 'remove', oldText };
  return { action: 'add', content };
}

function resultOf(answer: MemoryAnswer, target: MemoryTarget): JsonObject {
  const usage = usageText(answer.usage);
  if (!answer.ok) {
    return { error: answer.error, target, usage, ...(answer.entries ? { current_entries: answer.entries } : {}) };
  }
  const previous = answer.previous === undefined ? {} : { previous_entry: answer.previous };
  return {
    success: true,
    done: true,
    target,
    usage,
    entry_count: answer.usage.entries,
    message: answer.message,
    ...previous,
  };
}

/** `67% — 1,474/2,200 chars` */
export function usageText({ chars, limit }: MemoryUsage): string {
  const percent = Math.min(100, Math.floor((100 * chars) / limit));
  return `${percent}% — ${grouped(chars)}/${grouped(limit)} chars`;
}

function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, ',');
}
