import { type StateKey, stateKey, type ToolContext } from '@hermes/tool-registry';

const FAILED_EDITS: StateKey<Map<string, number>> = stateKey('failedEdits', () => new Map());

/** Counts a miss at a path. From the second in a row on, answers what to do instead (tools spec 3.3, loop). */
export function countFailure(ctx: ToolContext, path: string): string | undefined {
  const failures = ctx.state.of(FAILED_EDITS);
  const count = (failures.get(path) ?? 0) + 1;
  failures.set(path, count);
  if (count < 2) return undefined;
  return `${count} edits of this file failed in a row. Read it again with read_file, take a longer piece of it as anchor, or write the whole file with write_file.`;
}

export function clearFailures(ctx: ToolContext, path: string): void {
  ctx.state.of(FAILED_EDITS).delete(path);
}
