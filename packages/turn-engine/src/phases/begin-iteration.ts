import type { TurnPorts } from '../turn/ports.ts';
import type { TurnState, Verdict } from '../turn/turn-state.ts';
import { interruptedEnd } from './interrupted-end.ts';

/** What the model is told when its calls are used up. Fixed text: it becomes part of the prefix. */
const BUDGET_NOTICE =
  'The limit of model calls for this turn is reached. Do not call tools. Say in a few sentences what is done, what is not, and what the next step would be.';

/** Takes one iteration from the budget; when none is left, grants exactly one call without tools. */
export async function beginIteration(state: TurnState, ports: TurnPorts): Promise<Verdict> {
  if (state.signal.aborted) {
    state.end = interruptedEnd(state, false);
    return 'break';
  }
  if (!state.budget.consume()) {
    const spent = `${state.budget.used}/${state.budget.limit}`;
    state.end = { code: 'max_iterations', detail: spent };
    if (state.graceGranted) return 'break';
    state.graceGranted = true;
    const rows = await ports.store.append(state.heldLease, state.turnId, [
      { role: 'user', content: BUDGET_NOTICE, displayKind: 'hidden' },
    ]);
    state.wire.append(rows);
    return 'next';
  }
  ports.events.emit({ type: 'iteration.started', n: state.budget.used, limit: state.budget.limit });
  return 'next';
}
