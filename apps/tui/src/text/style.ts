/** Colours of the 16-colour palette, so that the terminal's own theme, light or dark, decides how they look. */
export type Color = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'gray';

export interface Style {
  readonly color?: Color;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly inverse?: boolean;
}

/** A piece of text with one look. A line is a list of spans. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

export type Line = readonly Span[];

const COLOR_CODES: Record<Color, number> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  gray: 90,
};

export const PLAIN: Style = {};

/** What every screen says with its looks; one place, so that a skin can replace it. */
export const look = {
  plain: PLAIN,
  muted: { dim: true },
  strong: { bold: true },
  user: { color: 'cyan', bold: true },
  accent: { color: 'cyan' },
  good: { color: 'green' },
  warning: { color: 'yellow' },
  bad: { color: 'red' },
  heading: { bold: true, color: 'cyan' },
  code: { color: 'yellow' },
  link: { underline: true },
  added: { color: 'green' },
  removed: { color: 'red' },
  selected: { inverse: true },
  thinking: { dim: true, italic: true },
} as const satisfies Record<string, Style>;

export function span(text: string, style: Style = PLAIN): Span {
  return { text, style };
}

/** Turns a line into the string that goes to the terminal. */
export type Paint = (line: Line) => string;

/**
 * A painter. Without colour the other attributes stay, and every state has a glyph besides its colour.
 *
 * @example
 * createPaint({ color: true })([span('ok', look.good)]); // '\u001b[32mok\u001b[0m'
 */
export function createPaint(options: { readonly color: boolean }): Paint {
  return (line) => line.map((piece) => paintSpan(piece, options.color)).join('');
}

function paintSpan({ text, style }: Span, color: boolean): string {
  if (text === '') return '';
  const codes: number[] = [];
  if (style.bold) codes.push(1);
  if (style.dim) codes.push(2);
  if (style.italic) codes.push(3);
  if (style.underline) codes.push(4);
  if (style.inverse) codes.push(7);
  if (style.strike) codes.push(9);
  if (color && style.color) codes.push(COLOR_CODES[style.color]);
  return codes.length === 0 ? text : `\u001b[${codes.join(';')}m${text}\u001b[0m`;
}

/** The text of a line without its looks. */
export function plainText(line: Line): string {
  return line.map((piece) => piece.text).join('');
}
