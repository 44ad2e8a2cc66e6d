import type { TurnPorts } from '../turn/ports.ts';
import type { TurnState, Verdict } from '../turn/turn-state.ts';

/** Puts what was steered into the running turn behind the newest result, each as a user row of its own. */
export async function prepareIteration(state: TurnState, ports: TurnPorts): Promise<Verdict> {
  // A message that was already sent must not grow: steers wait for the next tool result, or become the next turn.
  if (state.sentSinceLastRow || state.graceGranted) return 'next';
  for (const steer of ports.takeSteers()) {
    const row = await ports.store.appendSteer(state.heldLease, state.turnId, steer.admissionId, {
      role: 'user',
      content: steer.text,
    });
    state.wire.append([row]);
    ports.events.emit({ type: 'message.appended', rowId: row.id, role: 'user', kind: 'steer' });
    ports.events.emit({ type: 'input.delivered', admissionId: steer.admissionId, text: steer.text });
  }
  return 'next';
}
