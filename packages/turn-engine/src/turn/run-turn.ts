import { AbortReason } from '@hermes/runtime';
import { LeaseKeeper } from '../lease/lease-keeper.ts';
import { admit } from '../phases/admit.ts';
import { apiRetryLoop } from '../phases/api-retry-loop.ts';
import { assembleRequest } from '../phases/assemble-request.ts';
import { beginIteration } from '../phases/begin-iteration.ts';
import { buildContext } from '../phases/build-context.ts';
import { finalize } from '../phases/finalize.ts';
import { finishText } from '../phases/finish-text.ts';
import { normalizeResponse } from '../phases/normalize-response.ts';
import { prepareIteration } from '../phases/prepare-iteration.ts';
import { toolRound } from '../phases/tool-round.ts';
import { endOfFailure, failureOf } from '../result/end-of-failure.ts';
import type { TurnResult } from '../result/turn-result.ts';
import type { TurnPorts } from './ports.ts';
import type { TurnState, Verdict } from './turn-state.ts';

type Phase = (state: TurnState, ports: TurnPorts) => Promise<Verdict>;

const OPENING: readonly Phase[] = [admit, buildContext];

const ITERATION: readonly Phase[] = [
  beginIteration,
  prepareIteration,
  assembleRequest,
  apiRetryLoop,
  normalizeResponse,
  toolRound,
  finishText,
];

/** Runs one turn from its admission to its end. Never throws: every failure is in the result. */
export async function runTurn(state: TurnState, ports: TurnPorts): Promise<TurnResult> {
  let keeper: LeaseKeeper | undefined;
  try {
    if (await passes(OPENING.slice(0, 1), state, ports)) {
      keeper = new LeaseKeeper(ports.store, state.heldLease, ports.clock, () =>
        state.controller.abort(new AbortReason('lease_lost', 'store')),
      );
      if (await passes(OPENING.slice(1), state, ports)) await iterate(state, ports);
    }
  } catch (error) {
    ports.memory.forget();
    state.end = endOfFailure(error);
    state.failure = failureOf(error);
  }
  await keeper?.stop();
  const result = await finalize(state, ports);
  ports.events.emit({ type: 'turn.ended', result });
  return result;
}

async function passes(phases: readonly Phase[], state: TurnState, ports: TurnPorts): Promise<boolean> {
  for (const phase of phases) if ((await phase(state, ports)) === 'break') return false;
  return true;
}

/** Model call, tools, model call … until a phase leaves the loop. */
async function iterate(state: TurnState, ports: TurnPorts): Promise<void> {
  for (;;) {
    for (const phase of ITERATION) {
      const verdict = await phase(state, ports);
      if (verdict === 'break') return;
      if (verdict === 'continue') break;
    }
  }
}
