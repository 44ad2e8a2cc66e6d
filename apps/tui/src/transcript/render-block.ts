import { formatDuration } from '../language/format.ts';
import type { Messages } from '../language/messages.ts';
import { clean, cleanLine } from '../text/clean.ts';
import { type Line, look, type Span, span, type Style } from '../text/style.ts';
import { cellWidth, truncate } from '../text/width.ts';
import { wrapText } from '../text/wrap.ts';
import type { AssistantBlock, Block, ReasoningBlock, ToolBlock, ToolState } from './block.ts';
import type { BlockContext } from './block-lines.ts';

/** Lines of a user's message shown in full; longer ones show `USER_HEAD` lines and a count. */
const USER_LINES = 24;
const USER_HEAD = 16;
const DIFF_LINES = 40;
const PROGRESS_LINES = 5;
const FAILURE_LINES = 3;

const TOOL_GLYPHS: Record<ToolState, { readonly glyph: string; readonly style: Style }> = {
  running: { glyph: '●', style: look.warning },
  ok: { glyph: '✓', style: look.good },
  failed: { glyph: '✗', style: look.bad },
  skipped: { glyph: '–', style: look.muted },
  cancelled: { glyph: '⊘', style: look.warning },
  unknown: { glyph: '?', style: look.warning },
};

const NOTICE_GLYPHS = {
  info: { glyph: '·', style: look.muted },
  warning: { glyph: '!', style: look.warning },
  error: { glyph: '✗', style: look.bad },
} as const;

/** Lines of every kind of block but the answer, whose parts are cached one by one. */
export function renderBlock(block: Exclude<Block, AssistantBlock>, context: BlockContext): Line[] {
  const { width, messages } = context;
  switch (block.kind) {
    case 'banner':
      return [
        [span('☤ ', look.accent), span(truncate(messages.transcript.welcome(block.version), width - 2), look.strong)],
        [span(truncate(`  ${block.cwd}`, width), look.muted)],
        [span(truncate(`  ${messages.transcript.welcomeHelp}`, width), look.muted)],
      ];
    case 'user':
      return renderUser(block.text, block.steered, context);
    case 'reasoning':
      return renderReasoning(block, context);
    case 'tool':
      return renderTool(block, context);
    case 'notice': {
      const { glyph, style } = NOTICE_GLYPHS[block.level];
      return wrapText(clean(block.text), width, style, { first: [span(`${glyph} `, style)], rest: [span('  ')] });
    }
    case 'output':
      return [
        [span(truncate(`› ${cleanLine(block.command)}`, width), look.muted)],
        ...wrapText(clean(block.text.trimEnd()), width, look.plain, { first: [span('  ')] }),
      ];
    case 'turn-end':
      return [[span(truncate(turnEnd(block, messages), width), look.muted)]];
  }
}

function renderUser(text: string, steered: boolean, { width, messages }: BlockContext): Line[] {
  const lines = wrapText(clean(text), width, look.strong, { first: [span('❯ ', look.user)], rest: [span('  ')] });
  const shown = lines.length > USER_LINES ? lines.slice(0, USER_HEAD) : lines;
  const hidden = lines.length - shown.length;
  return [
    ...shown,
    ...(hidden > 0 ? [[span(`  ${messages.transcript.moreLines(hidden)}`, look.muted)]] : []),
    ...(steered ? [[span(`  ${messages.transcript.steered}`, look.muted)]] : []),
  ];
}

function renderReasoning(block: ReasoningBlock, { width, messages, thinking }: BlockContext): Line[] {
  if (thinking === 'hidden') return [];
  const title =
    block.durationMs === null
      ? messages.transcript.thinking
      : messages.transcript.thought(formatDuration(block.durationMs, messages));
  const chevron = thinking === 'expanded' ? '▾' : '▸';
  const head: Line = [span(truncate(`${chevron} ${title}`, width), look.muted)];
  if (thinking === 'collapsed' || block.text.trim() === '') return [head];
  return [head, ...wrapText(clean(block.text.trim()), width, look.thinking, { first: [span('  ')] })];
}

/** `glyph tool target · state · time` (CLI spec 8.4), then what is worth seeing of its output. */
function renderTool(block: ToolBlock, { width, messages }: BlockContext): Line[] {
  const { glyph, style } = TOOL_GLYPHS[block.state];
  const facts = toolFacts(block, messages);
  const tail = facts.length === 0 ? '' : ` · ${facts.join(' · ')}`;
  const room = width - 2 - cellWidth(tail);
  const name = truncate(cleanLine(block.name), room);
  const summary = block.summary === '' ? '' : truncate(` ${cleanLine(block.summary)}`, room - cellWidth(name));
  const row: Line = [span(`${glyph} `, style), span(name, look.strong), span(summary), span(tail, look.muted)];
  return [row, ...toolOutput(block, width, messages)];
}

function toolFacts(block: ToolBlock, messages: Messages): string[] {
  const lines = block.preview === '' || block.diff !== '' ? 0 : block.preview.trimEnd().split('\n').length;
  return [
    ...(block.state === 'ok' ? [] : [messages.tool[block.state]]),
    ...(lines > 1 ? [messages.transcript.lines(lines)] : []),
    ...(block.durationMs === null ? [] : [formatDuration(block.durationMs, messages)]),
  ];
}

function toolOutput(block: ToolBlock, width: number, messages: Messages): Line[] {
  if (block.state === 'running')
    return indented(clean(block.progress).trimEnd().split('\n').slice(-PROGRESS_LINES), width);
  if (block.diff !== '') return renderDiff(clean(block.diff).trimEnd().split('\n'), width, messages);
  const preview = clean(block.preview).trim().split('\n');
  return indented(preview.slice(0, block.state === 'failed' ? FAILURE_LINES : 1), width);
}

function indented(lines: readonly string[], width: number): Line[] {
  return lines.filter((line) => line.trim() !== '').map((line) => [span(truncate(`  ${line}`, width), look.muted)]);
}

function renderDiff(lines: readonly string[], width: number, messages: Messages): Line[] {
  const hidden = lines.length - DIFF_LINES;
  return [
    ...lines.slice(0, DIFF_LINES).map((line): Line => [diffSpan(line, width)]),
    ...(hidden > 0 ? [[span(`  ${messages.transcript.moreLines(hidden)}`, look.muted)]] : []),
  ];
}

function diffSpan(line: string, width: number): Span {
  const text = truncate(`  ${line}`, width);
  if (line.startsWith('+') && !line.startsWith('+++')) return span(text, look.added);
  if (line.startsWith('-') && !line.startsWith('---')) return span(text, look.removed);
  return span(text, line.startsWith('@@') ? look.accent : look.muted);
}

function turnEnd(block: Extract<Block, { kind: 'turn-end' }>, messages: Messages): string {
  const text = messages.transcript.turnEnd(formatDuration(block.durationMs, messages), block.tools);
  return block.failed === 0 ? text : `${text} · ${messages.transcript.failedCalls(block.failed)}`;
}
