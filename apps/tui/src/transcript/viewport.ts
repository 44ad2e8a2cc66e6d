import { type Block, gapBefore } from './block.ts';
import { blockAt, blockCount, type Transcript } from './transcript.ts';

/** Lines of a block at the current width. The answer is cached by whoever gives it. */
export type LinesOf = (block: Block) => readonly string[];

/** What the viewport looks at: the end, or a place that stays where it is whatever arrives (CLI spec 8.3). */
export type View =
  | { readonly follow: true }
  | {
      readonly follow: false;
      readonly anchor: Anchor;
      /** What was at the end when the view was taken off it; what lies behind counts as new. */
      readonly seen: { readonly blocks: number; readonly lastLines: number };
    };

/** Top line of the view: a line of a block, measured when the block had `height` lines. */
interface Anchor {
  readonly index: number;
  readonly line: number;
  readonly height: number;
}

interface Position {
  readonly index: number;
  readonly line: number;
}

export const FOLLOW: View = { follow: true };

/** The lines to draw, at most `rows`. Only blocks in view are laid out. */
export function visibleLines(transcript: Transcript, view: View, rows: number, linesOf: LinesOf): string[] {
  const ruler = new Ruler(transcript, linesOf);
  const top = topOf(ruler, view, rows);
  const lines: string[] = [];
  for (let index = top.index; index < ruler.count && lines.length < rows; index++) {
    const skip = index === top.index ? top.line : 0;
    lines.push(...ruler.lines(index).slice(skip, skip + rows - lines.length));
  }
  return lines;
}

/** Moves the view by lines; at the end it follows again. Nothing beyond the blocks passed is laid out. */
export function scrollBy(transcript: Transcript, view: View, delta: number, rows: number, linesOf: LinesOf): View {
  const ruler = new Ruler(transcript, linesOf);
  const bottom = ruler.bottom(rows);
  const top = ruler.move(topOf(ruler, view, rows), delta);
  if (!isBefore(top, bottom)) return FOLLOW;
  return {
    follow: false,
    anchor: { ...top, height: ruler.height(top.index) },
    seen: view.follow ? { blocks: ruler.count, lastLines: ruler.height(ruler.count - 1) } : view.seen,
  };
}

/** The first line that is loaded. */
export function scrollToStart(transcript: Transcript, view: View, rows: number, linesOf: LinesOf): View {
  const ruler = new Ruler(transcript, linesOf);
  if (!isBefore({ index: 0, line: 0 }, ruler.bottom(rows))) return FOLLOW;
  return {
    follow: false,
    anchor: { index: 0, line: 0, height: ruler.height(0) },
    seen: view.follow ? { blocks: ruler.count, lastLines: ruler.height(ruler.count - 1) } : view.seen,
  };
}

/** Lines that arrived since the view left the end. */
export function newLineCount(transcript: Transcript, view: View, linesOf: LinesOf): number {
  if (view.follow) return 0;
  const ruler = new Ruler(transcript, linesOf);
  let count = -view.seen.lastLines;
  for (let index = view.seen.blocks - 1; index < ruler.count; index++) count += ruler.height(index);
  return Math.max(0, count);
}

/** Keeps the view on its block after older blocks were put before it. */
export function shiftView(view: View, blocks: number): View {
  if (view.follow) return view;
  return {
    follow: false,
    anchor: { ...view.anchor, index: view.anchor.index + blocks },
    seen: { ...view.seen, blocks: view.seen.blocks + blocks },
  };
}

/** True when the view is close enough to the first loaded block that older ones are worth fetching. */
export function nearStart(view: View): boolean {
  return !view.follow && view.anchor.index < 20;
}

function topOf(ruler: Ruler, view: View, rows: number): Position {
  const bottom = ruler.bottom(rows);
  if (view.follow) return bottom;
  const top = settled(ruler, view.anchor);
  return isBefore(bottom, top) ? bottom : top;
}

/** Where the anchor is now: after a resize at the same share of its block, so that going back leads to the same line. */
function settled(ruler: Ruler, anchor: Anchor): Position {
  const height = ruler.height(anchor.index);
  const line = height === anchor.height ? anchor.line : Math.floor((anchor.line * height) / Math.max(1, anchor.height));
  return { index: anchor.index, line: Math.min(line, Math.max(0, height - 1)) };
}

function isBefore(a: Position, b: Position): boolean {
  return a.index < b.index || (a.index === b.index && a.line < b.line);
}

/** Lengths of blocks, with the gap before them. */
class Ruler {
  readonly count: number;
  readonly #transcript: Transcript;
  readonly #linesOf: LinesOf;

  constructor(transcript: Transcript, linesOf: LinesOf) {
    this.#transcript = transcript;
    this.#linesOf = linesOf;
    this.count = blockCount(transcript);
  }

  height(index: number): number {
    const block = blockAt(this.#transcript, index);
    if (!block) return 0;
    const lines = this.#linesOf(block).length;
    return lines === 0 ? 0 : lines + this.#gap(block, index);
  }

  lines(index: number): readonly string[] {
    const block = blockAt(this.#transcript, index);
    if (!block) return [];
    const lines = this.#linesOf(block);
    return lines.length > 0 && this.#gap(block, index) === 1 ? ['', ...lines] : lines;
  }

  /** Top of the view that ends with the last line. */
  bottom(rows: number): Position {
    let missing = rows;
    for (let index = this.count - 1; index >= 0; index--) {
      const height = this.height(index);
      if (height >= missing) return { index, line: height - missing };
      missing -= height;
    }
    return { index: 0, line: 0 };
  }

  move({ index, line }: Position, delta: number): Position {
    let at = index;
    let target = line + delta;
    while (target < 0 && at > 0) target += this.height(--at);
    while (at < this.count && target >= this.height(at)) target -= this.height(at++);
    return { index: at, line: Math.max(0, target) };
  }

  #gap(block: Block, index: number): number {
    return gapBefore(block, blockAt(this.#transcript, index - 1));
  }
}
