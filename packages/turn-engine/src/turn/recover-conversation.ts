import type { Lease, SessionStore } from '@hermes/session-db';

export interface RecoveryNotice {
  readonly level: 'info' | 'warning';
  readonly code: 'effect_unknown' | 'turn_recovered';
  readonly text: string;
}

export interface Recovered {
  readonly notices: readonly RecoveryNotice[];
  /** Admissions that will run again because nothing of them had begun. */
  readonly requeued: readonly string[];
}

/** Settles what a dead owner left behind, and says so in words for the user. */
export async function recoverConversation(store: SessionStore, lease: Lease): Promise<Recovered> {
  const { unknownCalls, interrupted, requeued } = await store.recover(lease);
  if (unknownCalls.length > 0) {
    const names = unknownCalls.map((call) => call.name).join(', ');
    const text = `An earlier run ended in the middle of ${names}: whether it took effect is unknown, and it was not run again.`;
    return { notices: [{ level: 'warning', code: 'effect_unknown', text }], requeued };
  }
  if (interrupted.length > 0) {
    const text = 'An earlier run of this session ended before it was done; what it had finished is kept.';
    return { notices: [{ level: 'info', code: 'turn_recovered', text }], requeued };
  }
  return { notices: [], requeued };
}
