import { stripControlSequences } from '@hermes/runtime';
import type { TurnEvent, TurnEventListener } from '@hermes/turn-engine';
import { noticesToStderr } from './run-once.ts';

/** Tells on stderr which tools run, a line each; the answer itself goes to stdout when it is whole. */
export function textPrinter(): TurnEventListener {
  return (event: TurnEvent) => {
    if (event.type === 'tool.started') {
      process.stderr.write(`• ${event.name} ${oneLine(event.summary)}\n`);
    } else if (event.type === 'tool.ended' && event.status !== 'ok') {
      process.stderr.write(`  ${event.status}: ${oneLine(event.preview)}\n`);
    } else {
      noticesToStderr(event);
    }
  };
}

function oneLine(text: string): string {
  const line = stripControlSequences(text).replace(/\s+/gu, ' ').trim();
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
