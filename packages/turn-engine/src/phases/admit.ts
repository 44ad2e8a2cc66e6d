import type { LeaseAttempt } from '@hermes/session-db';
import type { TurnPorts } from '../turn/ports.ts';
import { recoverConversation } from '../turn/recover-conversation.ts';
import type { TurnState, Verdict } from '../turn/turn-state.ts';

const POLL_MS = 1000;
const NOTICE_MS = 15_000;

/** Waits for the right to advance the session, and settles what a dead owner of it left behind. */
export async function admit(state: TurnState, ports: TurnPorts): Promise<Verdict> {
  if (state.signal.aborted) {
    state.end = { code: 'interrupted_before_start' };
    return 'break';
  }
  const attempt = await waitForLease(state, ports);
  if (!attempt.acquired) {
    state.end = state.signal.aborted
      ? { code: 'interrupted_before_start' }
      : { code: 'session_busy', detail: attempt.heldBy };
    return 'break';
  }
  state.lease = attempt.lease;
  if (attempt.lease.fence !== ports.memory.fence + 1) {
    ports.memory.forget();
    ports.memory.notices.push(...(await recoverConversation(ports.store, attempt.lease)).notices);
  }
  ports.memory.fence = attempt.lease.fence;
  for (const notice of ports.memory.notices.splice(0)) ports.events.emit({ type: 'notice', ...notice });
  const admission = await ports.store.admission(state.admission.id);
  if (admission?.status !== 'queued') {
    state.end = { code: 'lease_lost' };
    return 'break';
  }
  return 'next';
}

async function waitForLease(state: TurnState, ports: TurnPorts): Promise<LeaseAttempt> {
  const started = ports.clock.monotonic();
  let noticed = Number.NEGATIVE_INFINITY;
  for (;;) {
    const attempt = await ports.store.acquireLease({ conversationId: state.session.id, holder: ports.holder });
    const elapsedMs = ports.clock.monotonic() - started;
    if (attempt.acquired || state.signal.aborted || elapsedMs >= ports.limits.leaseWaitMs) return attempt;
    if (elapsedMs - noticed >= NOTICE_MS) {
      noticed = elapsedMs;
      ports.events.emit({ type: 'turn.waiting', holder: attempt.heldBy, elapsedMs: Math.round(elapsedMs) });
    }
    await ports.clock.sleep(POLL_MS, state.signal).catch(() => undefined);
  }
}
