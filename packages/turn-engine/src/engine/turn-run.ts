import type { AbortReason } from '@hermes/runtime';
import type { TurnEvent } from '../events/turn-event.ts';
import type { TurnResult } from '../result/turn-result.ts';

/** What became of a control: `accepted` is not yet `delivered`; that is an event of its own. */
export type ControlOutcome = 'accepted' | 'queued' | 'rejected';

/**
 * One run of one input. It never throws: the result says how it ended.
 *
 * `events` misses nothing when it is taken right after `run()`. Taking it several times gives independent readers.
 */
export interface TurnRun {
  readonly events: AsyncIterable<TurnEvent>;
  readonly result: Promise<TurnResult>;
  /** Stops the turn at the next safe point; returns false when it has ended already. */
  interrupt(reason?: AbortReason): boolean;
  /** Adds words to the running turn: the model reads them after the next tool result. When the turn ends first, they are the next input. */
  steer(text: string): Promise<ControlOutcome>;
}
