import { type StateKey, stateKey, type ToolContext } from '@hermes/tool-registry';

const LAST_SEARCH: StateKey<{ mark: string; times: number }> = stateKey('lastSearch', () => ({ mark: '', times: 0 }));

/**
 * How often the same search in a row gave the same answer, this time included: 1, 2, 3, 4. After 4 it begins again, because the
 * first answer may no longer be in the conversation. `mark` stands for the search with its answer.
 */
export function timesInRow(ctx: ToolContext, mark: string): number {
  const last = ctx.state.of(LAST_SEARCH);
  last.times = last.mark === mark ? last.times + 1 : 1;
  last.mark = mark;
  const { times } = last;
  if (times >= 4) last.times = 0;
  return times;
}
