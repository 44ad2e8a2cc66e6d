import type { CommandInfo } from '../commands/local-commands.ts';
import { look, type Paint, span } from '../text/style.ts';
import { cellWidth, padTo, truncate } from '../text/width.ts';
import { windowAround } from './window.ts';

/** The list of commands over the composer, with the selected one marked. */
export function completionView(
  commands: readonly CommandInfo[],
  selected: number,
  columns: number,
  rows: number,
  paint: Paint,
): string[] {
  const names = commands.map(({ name, arguments: takes }) => `/${name}${takes === '' ? '' : ` ${takes}`}`);
  const nameWidth = Math.min(Math.floor(columns / 2), Math.max(...names.map(cellWidth)) + 2);
  const { from, to } = windowAround(selected, commands.length, rows);
  return commands.slice(from, to).map(({ description }, index) => {
    const isSelected = from + index === selected;
    const name = padTo(names[from + index] ?? '', nameWidth);
    const about = truncate(description, Math.max(0, columns - nameWidth - 2));
    return paint([
      span(isSelected ? '❯ ' : '  ', look.accent),
      span(name, isSelected ? look.user : look.accent),
      span(about, isSelected ? look.plain : look.muted),
    ]);
  });
}
