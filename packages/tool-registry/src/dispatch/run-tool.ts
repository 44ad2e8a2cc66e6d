import type { JsonObject } from '@hermes/providers';
import { AbortReason, abortReasonOf, messageOf } from '@hermes/runtime';
import {
  type Effect,
  TOOL_OUTCOME,
  type ToolContext,
  type ToolDefinition,
  type ToolOutcome,
} from '../definition/tool-definition.ts';
import { fitResult } from './fit-result.ts';

/** A batch may take this long, in seconds, when the tool sets no limit of its own (tools spec 5.2). */
const DEFAULT_DEADLINE_SECONDS = 420;

/** After an abort a handler has this long to say what it knows; then the effect is called unknown (turn spec 6). */
const ABORT_GRACE_MS = 2000;

/** Error texts longer than this are cut (tools spec 4.2). */
const MAX_ERROR_CHARS = 2048;

export type ToolStatus = 'ok' | 'failed' | 'cancelled' | 'unknown';

/** What came of one call: the text for the model and the facts for the screen and the store. */
export interface ToolRunResult {
  readonly content: string;
  readonly status: ToolStatus;
  readonly effect: Effect;
  readonly preview: string;
  readonly diff?: string;
  readonly durationMs: number;
}

/**
 * Runs one call to its end, its deadline or its abort. Never throws: whatever a handler does becomes a result. `conceal` takes secrets
 * out of a text before anybody sees it; it must keep JSON valid.
 *
 * @example
 * const result = await runTool(definition, { path: 'a.txt' }, context);
 */
export async function runTool(
  definition: ToolDefinition,
  args: JsonObject,
  context: ToolContext,
  conceal: (text: string) => string = (text) => text,
): Promise<ToolRunResult> {
  const started = context.clock.monotonic();
  const deadline = new AbortController();
  const settled = new AbortController();
  const signal = AbortSignal.any([context.signal, deadline.signal]);
  const seconds = definition.deadlineSeconds ?? DEFAULT_DEADLINE_SECONDS;
  const expire = context.clock.sleep(seconds * 1000, settled.signal).then(
    () =>
      deadline.abort(new AbortReason('deadline', definition.name, `${definition.name} was stopped after ${seconds} s`)),
    () => undefined,
  );
  try {
    const outcome = await Promise.race([
      invoke(definition, args, { ...context, signal }),
      abandonAfterGrace(signal, settled.signal, context, definition),
    ]);
    return await finish(concealed(outcome, conceal), definition, context, started);
  } finally {
    settled.abort();
    await expire;
  }
}

interface Outcome extends ToolOutcome {
  readonly effect: Effect;
  readonly status: ToolStatus;
}

async function invoke(definition: ToolDefinition, args: JsonObject, context: ToolContext): Promise<Outcome> {
  const ended: Effect = definition.effect === 'none' ? 'none' : 'done';
  try {
    const result: unknown = await definition.handler(args, context);
    if (isOutcome(result)) {
      const status = statusOf(result.content, context.signal);
      return { ...result, effect: result.effect ?? ended, status: result.effect === 'unknown' ? 'unknown' : status };
    }
    const content = typeof result === 'string' ? result : JSON.stringify(result);
    if (content === undefined) {
      return failure(
        `tool_result_contract: ${definition.name} returned nothing that JSON can hold.`,
        effectOfThrow(definition),
      );
    }
    return { content, effect: ended, status: statusOf(content, context.signal) };
  } catch (error) {
    if (context.signal.aborted) return stopped(definition, abortReasonOf(context.signal));
    return failure(`[TOOL_ERROR] ${definition.name} failed: ${messageOf(error)}`, effectOfThrow(definition));
  }
}

/** Resolves when the handler ignored an abort for the whole grace; never rejects. */
async function abandonAfterGrace(
  signal: AbortSignal,
  settled: AbortSignal,
  context: ToolContext,
  definition: ToolDefinition,
): Promise<Outcome> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await context.clock.sleep(ABORT_GRACE_MS, settled).catch(() => undefined);
  return stopped(definition, abortReasonOf(signal));
}

function stopped(definition: ToolDefinition, reason: AbortReason): Outcome {
  const effect: Effect = definition.effect === 'none' ? 'none' : 'unknown';
  const known =
    effect === 'none' ? 'It changes nothing.' : 'Its effect is unknown: inspect the state before doing it again.';
  const content = JSON.stringify({ error: `Stopped before it ended (${reason.message}). ${known}`, effect });
  return { content, effect, status: effect === 'none' ? 'cancelled' : 'unknown' };
}

async function finish(
  outcome: Outcome,
  definition: ToolDefinition,
  context: ToolContext,
  started: number,
): Promise<ToolRunResult> {
  const content = await fitResult(outcome.content, definition.maxResultChars, context);
  return {
    content,
    status: outcome.status,
    effect: outcome.effect,
    preview: outcome.preview ?? previewOf(content),
    ...(outcome.diff === undefined ? {} : { diff: outcome.diff }),
    durationMs: Math.round(context.clock.monotonic() - started),
  };
}

function concealed(outcome: Outcome, conceal: (text: string) => string): Outcome {
  return {
    ...outcome,
    content: conceal(outcome.content),
    ...(outcome.preview === undefined ? {} : { preview: conceal(outcome.preview) }),
    ...(outcome.diff === undefined ? {} : { diff: conceal(outcome.diff) }),
  };
}

function failure(message: string, effect: Effect): Outcome {
  return { content: JSON.stringify({ error: message.slice(0, MAX_ERROR_CHARS) }), effect, status: 'failed' };
}

function effectOfThrow(definition: ToolDefinition): Effect {
  return definition.effect === 'none' ? 'none' : 'maybe';
}

function isOutcome(result: unknown): result is ToolOutcome {
  return typeof result === 'object' && result !== null && TOOL_OUTCOME in result;
}

/** A result that says `error` is a failure, whoever wrote it. */
function statusOf(content: string, signal: AbortSignal): ToolStatus {
  if (!content.startsWith('{')) return 'ok';
  try {
    const value: unknown = JSON.parse(content);
    const failed =
      typeof value === 'object' && value !== null && 'error' in value && value.error !== null && value.error !== '';
    if (!failed) return 'ok';
    return signal.aborted ? 'cancelled' : 'failed';
  } catch {
    return 'ok';
  }
}

function previewOf(content: string): string {
  const line = content.replace(/\s+/gu, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
