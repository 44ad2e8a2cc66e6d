import type { Token, Tokens } from 'marked';
import { clean } from '../text/clean.ts';
import { look, type Line, span, type Style } from '../text/style.ts';
import { cellWidth } from '../text/width.ts';
import { wrap, wrapText } from '../text/wrap.ts';
import { renderCode } from './code.ts';
import { inlineSpans } from './inline.ts';
import type { MarkdownPart } from './split.ts';
import { renderTable } from './table.ts';

/** The block lexer of marked; it is loaded after the first paint, and until then markdown is shown as it was written. */
export type MarkdownLexer = (source: string) => readonly Token[];

const BULLETS = ['•', '◦', '▪'];

/** One part as lines of at most `width` columns. */
export function renderPart(part: MarkdownPart, width: number, lexer: MarkdownLexer | null): Line[] {
  if (part.kind === 'code') return renderCode(clean(part.body), part.language, part.first, width);
  const source = clean(part.source);
  if (!lexer) return wrapText(source.trimEnd(), width);
  return renderBlocks(lexer(source), width, look.plain, 0);
}

/** Parts with one empty line between them; the parts of one fence stay together. */
export function joinParts(
  parts: readonly { readonly part: MarkdownPart; readonly lines: readonly string[] }[],
): string[] {
  const joined: string[] = [];
  for (const { part, lines } of parts) {
    if (joined.length > 0 && (part.kind === 'text' || part.first)) joined.push('');
    for (const line of lines) joined.push(line);
  }
  return joined;
}

/** Blocks with an empty line between them where the source has one. */
function renderBlocks(tokens: readonly Token[], width: number, style: Style, depth: number): Line[] {
  const lines: Line[] = [];
  let isApart = false;
  for (const token of tokens) {
    if (token.type !== 'space' && token.type !== 'def') {
      if (isApart && lines.length > 0) lines.push([]);
      lines.push(...renderBlock(token, width, style, depth));
      isApart = false;
    }
    isApart ||= token.raw.endsWith('\n\n');
  }
  return lines;
}

function renderBlock(token: Token, width: number, style: Style, depth: number): Line[] {
  switch (token.type) {
    case 'heading':
      return wrap(inlineSpans(token.tokens ?? [], headingStyle(token as Tokens.Heading)), width);
    case 'list':
      return renderList(token as Tokens.List, width, style, depth);
    case 'blockquote': {
      const inner = renderBlocks(token.tokens ?? [], Math.max(4, width - 2), { ...style, ...look.muted }, depth);
      return inner.map((line) => [span('│ ', look.muted), ...line]);
    }
    case 'code':
      return renderCode(String(token['text']), String(token['lang'] ?? ''), true, width);
    case 'table':
      return renderTable(token as Tokens.Table, width);
    case 'hr':
      return [[span('─'.repeat(Math.min(width, 40)), look.muted)]];
    case 'paragraph':
    case 'text':
      return wrap(token.tokens ? inlineSpans(token.tokens, style) : [span(String(token['text']), style)], width);
    default:
      return wrapText(token.raw.trimEnd(), width, style);
  }
}

function headingStyle(heading: Tokens.Heading): Style {
  return heading.depth === 1 ? { ...look.heading, underline: true } : look.heading;
}

function renderList(list: Tokens.List, width: number, style: Style, depth: number): Line[] {
  const first = list.start || 1;
  const last = first + list.items.length - 1;
  const markerWidth = list.ordered ? String(last).length + 2 : 2;
  const bullet = BULLETS[depth % BULLETS.length] ?? '•';
  return list.items.flatMap((item, index) => {
    const unordered = item.task ? '' : `${bullet} `;
    const marker = list.ordered ? `${first + index}.`.padEnd(markerWidth) : unordered;
    const body = renderBlocks(itemTokens(item), Math.max(4, width - cellWidth(marker)), style, depth + 1);
    const lines = (body.length === 0 ? [[]] : body).map(
      (line, row): Line => [span(row === 0 ? marker : ' '.repeat(cellWidth(marker)), look.accent), ...line],
    );
    return index > 0 && list.loose ? [[], ...lines] : lines;
  });
}

/** In a tight task list the checkbox stands beside the text token; it belongs to that line. */
function itemTokens(item: Tokens.ListItem): Token[] {
  const [box, next, ...rest] = item.tokens;
  if (box?.type !== 'checkbox' || !next) return item.tokens;
  const merged = { ...next, type: 'text', tokens: [box, ...(('tokens' in next && next.tokens) || [next])] } as Token;
  return [merged, ...rest];
}
