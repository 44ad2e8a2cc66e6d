import { abortReasonOf } from '@hermes/runtime';
import type { EndReason } from '../result/end-reason.ts';
import type { TurnState } from '../turn/turn-state.ts';

/** The end reason of an aborted turn. */
export function interruptedEnd(state: TurnState, duringCall: boolean): EndReason {
  const reason = abortReasonOf(state.signal);
  if (reason.kind === 'lease_lost') return { code: 'lease_lost' };
  if (reason.kind === 'user_stop' || reason.kind === 'new_message') {
    return { code: duringCall ? 'interrupted_during_call' : 'interrupted_by_user' };
  }
  return { code: 'interrupted_by_system', detail: reason.issuer };
}
