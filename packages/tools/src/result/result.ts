import type { JsonObject } from '@hermes/providers';
import { type Effect, type ToolOutcome, toolOutcome } from '@hermes/tool-registry';

/** What goes with a result for the screen and the record. */
interface ResultFacts {
  readonly effect: Effect;
  readonly preview: string;
  readonly diff?: string;
}

/** A result with its facts. */
export function result(content: JsonObject, facts: ResultFacts): ToolOutcome {
  return toolOutcome({ content: JSON.stringify(content), ...facts });
}

/** A call that changed nothing and says why. */
export function refused(error: string, details: JsonObject = {}): ToolOutcome {
  return result({ error, ...details }, { effect: 'none', preview: firstLine(error) });
}

const MAX_PREVIEW_CHARS = 120;

/** The first line of a text, short enough for one line on the screen. */
export function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > MAX_PREVIEW_CHARS ? `${line.slice(0, MAX_PREVIEW_CHARS - 1).toWellFormed()}…` : line;
}

/** `1 line`, `2 lines`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
