import { type StateKey, stateKey, type ToolContext } from '@hermes/tool-registry';
import type { FileStamp } from '../files/read-tracker.ts';

interface Shown {
  readonly mark: string;
  readonly times: number;
}

const SHOWN: StateKey<Map<string, Shown>> = stateKey('shownRanges', () => new Map());

/**
 * How often the session was already given this range of this unchanged file: 0 the first time, then 1, then 2. After 2 it begins
 * again at 0, because the first answer may no longer be in the conversation.
 */
export function timesShown(ctx: ToolContext, range: string, stamp: FileStamp): number {
  const shown = ctx.state.of(SHOWN);
  const mark = `${stamp.size} ${stamp.mtimeMs} ${stamp.digest ?? ''}`;
  const before = shown.get(range);
  const times = before?.mark === mark ? before.times : 0;
  if (times >= 2) shown.delete(range);
  else shown.set(range, { mark, times: times + 1 });
  return times;
}
