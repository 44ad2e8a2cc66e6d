import type { Messages } from '../language/messages.ts';
import { joinParts, type MarkdownLexer, renderPart } from '../markdown/render.ts';
import { type MarkdownPart, openEnd, splitMarkdown } from '../markdown/split.ts';
import { clean } from '../text/clean.ts';
import { look, type Paint } from '../text/style.ts';
import { wrapText } from '../text/wrap.ts';
import type { AssistantBlock, Block } from './block.ts';
import { renderBlock } from './render-block.ts';

/** How reasoning is shown (CLI spec 8.5). */
export type ThinkingMode = 'expanded' | 'collapsed' | 'hidden';

export interface BlockContext {
  readonly width: number;
  readonly paint: Paint;
  readonly messages: Messages;
  readonly lexer: MarkdownLexer | null;
  readonly thinking: ThinkingMode;
}

/** Of the open end of an answer at most this much is laid out (CLI spec 8.3). */
const OPEN_END_CHARACTERS = 16_000;
const OPEN_END_LINES = 240;

/** Gives the lines of blocks in one context, and remembers them for as long as the block lives. */
export function createBlockLines(context: BlockContext): (block: Block) => readonly string[] {
  const blocks = new WeakMap<Block, readonly string[]>();
  const parts = new WeakMap<MarkdownPart, readonly string[]>();

  const linesOfPart = (part: MarkdownPart): readonly string[] => {
    const known = parts.get(part);
    if (known) return known;
    const lines = renderPart(part, context.width, context.lexer).map(context.paint);
    parts.set(part, lines);
    return lines;
  };

  const assistantLines = (block: AssistantBlock): string[] => {
    const closed = block.markdown?.parts ?? splitMarkdown(block.text);
    const drawn = closed.map((part) => ({ part, lines: linesOfPart(part) }));
    const end = block.markdown && openEnd(block.markdown);
    if (end) drawn.push({ part: end, lines: openEndLines(end, context) });
    const lines = joinParts(drawn);
    if (block.state === 'interrupted')
      lines.push(context.paint([{ text: `⊘ ${context.messages.transcript.interrupted}`, style: look.warning }]));
    return lines;
  };

  return (block) => {
    const known = blocks.get(block);
    if (known) return known;
    const lines = drawSafely(block, context, () =>
      block.kind === 'assistant' ? assistantLines(block) : renderBlock(block, context).map(context.paint),
    );
    blocks.set(block, lines);
    return lines;
  };
}

function openEndLines(end: MarkdownPart, context: BlockContext): string[] {
  const part: MarkdownPart =
    end.kind === 'text' ? { kind: 'text', source: end.source.slice(-OPEN_END_CHARACTERS) } : end;
  return renderPart(part, context.width, context.lexer).slice(-OPEN_END_LINES).map(context.paint);
}

/** A block that cannot be drawn must not take the session with it (CLI spec 8.12, faults). */
function drawSafely(block: Block, context: BlockContext, draw: () => string[]): string[] {
  try {
    return draw();
  } catch {
    const text = 'text' in block ? clean(block.text) : '';
    return [
      context.paint([{ text: context.messages.transcript.notDrawn, style: look.bad }]),
      ...wrapText(text, context.width).map(context.paint),
    ];
  }
}
