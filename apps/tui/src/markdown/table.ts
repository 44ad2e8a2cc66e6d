import type { Tokens } from 'marked';
import { look, type Line, plainText, span } from '../text/style.ts';
import { cellWidth } from '../text/width.ts';
import { wrap } from '../text/wrap.ts';
import { inlineSpans } from './inline.ts';

/** A column narrower than this reads badly; below it rows become cards. */
const MIN_COLUMN = 8;
const SEPARATOR = ' │ ';

type Align = 'left' | 'center' | 'right' | null;

/**
 * A table with its columns aligned by display width. Too wide for the screen, the widest columns shrink and their cells
 * wrap; when even that does not fit, each row becomes a card of `header: value` lines.
 */
export function renderTable(table: Tokens.Table, width: number): Line[] {
  const header = table.header.map((cell) => inlineSpans(cell.tokens, look.strong));
  const rows = table.rows.map((row) => row.map((cell) => inlineSpans(cell.tokens, look.plain)));
  const natural = header.map((cell, column) =>
    Math.max(1, widest(cell), ...rows.map((row) => widest(row[column] ?? []))),
  );
  const widths = fitColumns(natural, width - SEPARATOR.length * (natural.length - 1));
  if (!widths) return renderCards(header, rows, width);
  const rule = [span(widths.map((column) => '─'.repeat(column)).join('─┼─'), look.muted)];
  return [
    ...renderRow(header, widths, table.align),
    rule,
    ...rows.flatMap((row) => renderRow(row, widths, table.align)),
  ];
}

function widest(cell: Line): number {
  return Math.max(...plainText(cell).split('\n').map(cellWidth));
}

/** Column widths that sum up to at most `room`, taken from the widest columns first; undefined when there is no room. */
function fitColumns(natural: readonly number[], room: number): number[] | undefined {
  const floor = natural.map((column) => Math.min(column, MIN_COLUMN));
  if (sum(floor) > room) return undefined;
  let limit = Math.max(...natural);
  while (sum(natural.map((column) => Math.min(column, limit))) > room) limit--;
  const widths = natural.map((column) => Math.min(column, limit));
  let spare = room - sum(widths);
  return widths.map((column, index) => {
    const extra = Math.min(spare, (natural[index] ?? column) - column);
    spare -= extra;
    return column + extra;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

function renderRow(cells: readonly Line[], widths: readonly number[], align: readonly Align[]): Line[] {
  const wrapped = widths.map((column, index) => wrap(cells[index] ?? [], column));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    widths.flatMap((column, index) => [
      ...(index === 0 ? [] : [span(SEPARATOR, look.muted)]),
      ...alignCell(wrapped[index]?.[row] ?? [], column, align[index] ?? null),
    ]),
  );
}

function alignCell(cell: Line, width: number, align: Align): Line {
  const gap = Math.max(0, width - cellWidth(plainText(cell)));
  const left = align === 'right' ? gap : align === 'center' ? Math.floor(gap / 2) : 0;
  return [span(' '.repeat(left)), ...cell, span(' '.repeat(gap - left))];
}

function renderCards(header: readonly Line[], rows: readonly (readonly Line[])[], width: number): Line[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [[]]),
    ...header.flatMap((name, column) => wrap([...name, span(': '), ...(row[column] ?? [])], width, { rest: [] })),
  ]);
}
