import type { PreparedCall } from '../arguments/prepare-call.ts';

/** Calls that run at the same time; a segment starts when the one before has ended. */
export type Segment = readonly PreparedCall[];

/** At most so many calls of a segment run at once (tools spec 5.2). */
export const MAX_PARALLEL_CALLS = 8;

/**
 * Splits a round into segments without changing the order of calls. Neighbouring calls that only read run together; whatever may
 * change something runs alone, after what came before it and before what follows.
 */
export function planSegments(calls: readonly PreparedCall[]): readonly Segment[] {
  const segments: PreparedCall[][] = [];
  let together: PreparedCall[] | undefined;
  for (const call of calls) {
    if (!onlyReads(call)) {
      segments.push([call]);
      together = undefined;
    } else if (together && together.length < MAX_PARALLEL_CALLS) {
      together.push(call);
    } else {
      together = [call];
      segments.push(together);
    }
  }
  return segments;
}

function onlyReads(call: PreparedCall): boolean {
  return call.kind === 'ready' && (call.definition.parallel === 'safe' || call.definition.parallel === 'pathRead');
}
