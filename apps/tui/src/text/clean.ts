import { stripControlSequences } from '@hermes/runtime';
import { cellWidth } from './width.ts';

const TAB_STOP = 4;

/**
 * Text of the model, of a tool or of a file, made fit for the screen: control sequences are dropped (CLI spec 1.5) and
 * tabs become spaces, so that our idea of a width is the terminal's.
 */
export function clean(text: string): string {
  const safe = stripControlSequences(text);
  return safe.includes('\t') ? safe.split('\n').map(expandTabs).join('\n') : safe;
}

/** `clean` on one line: line ends become spaces. */
export function cleanLine(text: string): string {
  return clean(text).replace(/\s*\n\s*/g, ' ');
}

function expandTabs(line: string): string {
  let out = '';
  for (const [index, piece] of line.split('\t').entries()) {
    if (index > 0) out += ' '.repeat(TAB_STOP - (cellWidth(out) % TAB_STOP));
    out += piece;
  }
  return out;
}
