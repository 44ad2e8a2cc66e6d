import type { Block } from './block.ts';

/** The conversation on screen: what is finished, and the blocks of the turn that runs. Deltas touch only the latter. */
export interface Transcript {
  readonly settled: readonly Block[];
  readonly live: readonly Block[];
  /** Row before which older blocks can be fetched; null when the beginning is here. */
  readonly olderBefore: number | null;
}

export function blockCount(transcript: Transcript): number {
  return transcript.settled.length + transcript.live.length;
}

export function blockAt({ settled, live }: Transcript, index: number): Block | undefined {
  return index < settled.length ? settled[index] : live[index - settled.length];
}

function withLive(transcript: Transcript, live: readonly Block[]): Transcript {
  return { ...transcript, live };
}

export function addLive(transcript: Transcript, ...blocks: readonly Block[]): Transcript {
  return withLive(transcript, [...transcript.live, ...blocks]);
}

/** Puts a block where it belongs now: into the running turn, or at the end of what is finished. */
export function addBlock(transcript: Transcript, block: Block): Transcript {
  return transcript.live.length > 0
    ? addLive(transcript, block)
    : { ...transcript, settled: [...transcript.settled, block] };
}

/** The turn is over: its blocks are finished. */
export function settle({ settled, live, olderBefore }: Transcript): Transcript {
  return live.length === 0 ? { settled, live, olderBefore } : { settled: [...settled, ...live], live: [], olderBefore };
}

/** Exchanges the last live block that `matches`; undefined when there is none. */
export function replaceLast(
  transcript: Transcript,
  matches: (block: Block) => boolean,
  change: (block: Block) => Block | null,
): Transcript | undefined {
  const index = transcript.live.findLastIndex(matches);
  const found = transcript.live[index];
  if (!found) return undefined;
  const changed = change(found);
  return withLive(transcript, transcript.live.toSpliced(index, 1, ...(changed ? [changed] : [])));
}
