import type { StoredRow } from '@hermes/session-db';
import { parseArguments, type ToolDefinition } from '@hermes/tool-registry';
import type { HistoryBlock } from '../rpc/contract.ts';

/** Finds a tool by the name a call used, to describe the call. */
export type ToolLookup = (name: string) => ToolDefinition | undefined;

interface ToolFacts {
  readonly preview?: string;
  readonly status?: string;
}

/** Turns transcript rows into what a screen shows. A result is shown at its place, with what its call said it would do. */
export async function historyBlocks(rows: readonly StoredRow[], toolOf: ToolLookup): Promise<HistoryBlock[]> {
  const summaries = new Map<string, string>();
  for (const call of rows.flatMap((row) => row.toolCalls ?? [])) {
    const parsed = await parseArguments(call.argumentsJson);
    if (parsed.ok) summaries.set(call.id, toolOf(call.name)?.summarize?.(parsed.args) ?? '');
  }
  return rows.flatMap((row) => blockOf(row, summaries));
}

function blockOf(row: StoredRow, summaries: ReadonlyMap<string, string>): HistoryBlock[] {
  const base = { row_id: row.id, at: row.createdAt };
  if (row.role === 'user') return [{ kind: 'user', ...base, text: row.content }];
  if (row.role === 'tool') return [toolBlock(row, summaries, base)];
  if (row.displayKind === 'interrupted_partial') return [{ kind: 'interrupted', ...base, text: row.content }];
  if (row.displayKind === 'failed_turn')
    return [{ kind: 'notice', ...base, text: row.content.replace(/^\[|\]$/gu, '') }];
  const reasoning = row.reasoning ?? '';
  return row.content === '' && reasoning === '' ? [] : [{ kind: 'assistant', ...base, text: row.content, reasoning }];
}

function toolBlock(
  row: StoredRow,
  summaries: ReadonlyMap<string, string>,
  base: { row_id: number; at: number },
): HistoryBlock {
  const facts = factsOf(row);
  const callId = row.toolCallId ?? '';
  return {
    kind: 'tool',
    ...base,
    call_id: callId,
    name: row.toolName ?? '',
    summary: summaries.get(callId) ?? '',
    status: statusOf(row, facts),
    preview: facts.preview ?? firstLine(row.content),
  };
}

function factsOf(row: StoredRow): ToolFacts {
  const metadata = row.displayMetadata;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return {};
  const { preview, status } = metadata as { readonly preview?: unknown; readonly status?: unknown };
  return {
    ...(typeof preview === 'string' ? { preview } : {}),
    ...(typeof status === 'string' ? { status } : {}),
  };
}

function statusOf(row: StoredRow, facts: ToolFacts): 'ok' | 'failed' | 'skipped' | 'cancelled' | 'unknown' {
  if (row.effect === 'unknown') return 'unknown';
  if (facts.status === 'failed' || facts.status === 'cancelled') return facts.status;
  if (facts.status === undefined) return 'skipped';
  return 'ok';
}

function firstLine(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
