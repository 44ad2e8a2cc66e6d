import type { StoredRow, ToolRunEnd } from '@hermes/session-db';
import { type PreparedCall, planSegments, runTool, type Segment, type ToolRunResult } from '@hermes/tool-registry';
import type { TurnPorts } from '../turn/ports.ts';
import type { TurnState, Verdict } from '../turn/turn-state.ts';
import { interruptedEnd } from './interrupted-end.ts';
import { takeUnrecorded } from './take-unrecorded.ts';

/** Rounds in a row whose calls all name tools that do not exist, before the turn ends (turn spec 6). */
const MAX_UNKNOWN_ROUNDS = 3;

/**
 * Runs the calls of one response. The call row is durable before the first effect, each result before the model sees it, and every
 * call gets exactly one result, in the order of the calls.
 */
export async function toolRound(state: TurnState, ports: TurnPorts): Promise<Verdict> {
  const { response, calls } = state;
  if (!response || calls.length === 0) return 'next';
  const segments = planSegments(calls);
  const row = await ports.store.beginToolRound(state.heldLease, state.turnId, {
    row: {
      role: 'assistant',
      content: response.text,
      toolCalls: calls.map(({ call }) => call),
      finishReason: response.finish,
      ...(response.reasoning === '' ? {} : { reasoning: response.reasoning }),
    },
    runs: calls.map(({ call }, position) => ({
      callId: call.id,
      name: call.name,
      position,
      effectClass: effectClassOf(calls[position]),
    })),
    dispatched: dispatchable(segments[0]),
    ...takeUnrecorded(state),
  });
  announce(row, state, ports);
  for (const [index, segment] of segments.entries()) {
    const ends = await Promise.all(segment.map((call) => runCall(call, calls.indexOf(call), state, ports)));
    const next = state.signal.aborted ? [] : dispatchable(segments[index + 1]);
    const rows = await ports.store.finishToolRuns(state.heldLease, state.turnId, ends, next);
    addRows(rows, 'tool_result', state, ports);
  }
  return afterRound(state);
}

function afterRound(state: TurnState): Verdict {
  state.toolCallCount += state.calls.length;
  state.ladders.emptyNudges = 0;
  state.ladders.cutCalls = 0;
  state.maxOutputTokens = undefined;
  const unknownOnly = state.calls.every((call) => call.kind === 'invalid' && call.fault === 'unknown_tool');
  state.ladders.unknownToolRounds = unknownOnly ? state.ladders.unknownToolRounds + 1 : 0;
  if (state.signal.aborted) {
    state.end = interruptedEnd(state, false);
    return 'break';
  }
  if (state.ladders.unknownToolRounds >= MAX_UNKNOWN_ROUNDS) {
    state.end = { code: 'invalid_tool_name' };
    return 'break';
  }
  return 'continue';
}

function announce(row: StoredRow, state: TurnState, ports: TurnPorts): void {
  if (row.content !== '') ports.events.emit({ type: 'text.end', channel: 'interim', text: row.content });
  addRows([row], 'tool_call', state, ports);
}

function addRows(
  rows: readonly StoredRow[],
  kind: 'tool_call' | 'tool_result',
  state: TurnState,
  ports: TurnPorts,
): void {
  state.wire.append(rows);
  state.sentSinceLastRow = false;
  for (const row of rows) ports.events.emit({ type: 'message.appended', rowId: row.id, role: row.role, kind });
}

/** Runs one call, or says why it did not run. Never throws. */
async function runCall(
  prepared: PreparedCall,
  position: number,
  state: TurnState,
  ports: TurnPorts,
): Promise<ToolRunEnd> {
  const { call } = prepared;
  const name = prepared.kind === 'ready' ? prepared.definition.name : call.name;
  const summary = prepared.kind === 'ready' ? (prepared.definition.summarize?.(prepared.args) ?? '') : '';
  ports.events.emit({ type: 'tool.started', callId: call.id, name, summary, position });
  const row = (content: string) => ({ role: 'tool' as const, content, toolCallId: call.id, toolName: name });
  if (prepared.kind === 'invalid') {
    ended(call.id, name, notRun('failed', prepared.error), ports);
    return { callId: call.id, status: 'skipped', effect: 'none', row: row(prepared.error) };
  }
  if (state.signal.aborted) {
    const content = JSON.stringify({ error: `Skipped, not started: ${interruptedText(state)}`, effect: 'none' });
    ended(call.id, name, notRun('skipped', content), ports);
    return { callId: call.id, status: 'skipped', effect: 'none', row: row(content) };
  }
  const context = {
    sessionId: state.session.id,
    turnId: state.turnId,
    callId: call.id,
    cwd: state.session.cwd,
    signal: state.signal,
    clock: ports.clock,
    state: ports.toolState,
    childEnv: ports.childEnv,
    cacheDir: ports.cacheDir,
    progress: (text: string) =>
      ports.events.emit({ type: 'tool.progress', callId: call.id, text: ports.conceal(text) }),
  };
  const result = await runTool(prepared.definition, prepared.args, context, ports.conceal);
  ended(call.id, name, result, ports);
  const metadata = { preview: result.preview, status: result.status, ms: result.durationMs };
  return {
    callId: call.id,
    status: result.effect === 'unknown' ? 'unknown' : 'finished',
    effect: result.effect,
    row: {
      ...row(result.content),
      displayMetadata: result.diff === undefined ? metadata : { ...metadata, diff: result.diff },
    },
  };
}

type ShownResult = Omit<ToolRunResult, 'content' | 'status'> & { readonly status: ToolRunResult['status'] | 'skipped' };

function ended(callId: string, name: string, result: ShownResult, ports: TurnPorts): void {
  ports.events.emit({
    type: 'tool.ended',
    callId,
    name,
    status: result.status,
    effect: result.effect,
    ms: result.durationMs,
    preview: result.preview,
    ...(result.diff === undefined ? {} : { diff: result.diff }),
  });
}

function notRun(status: 'failed' | 'skipped', preview: string): ShownResult {
  return { status, effect: 'none', preview, durationMs: 0 };
}

function interruptedText(state: TurnState): string {
  return interruptedEnd(state, false).code === 'lease_lost'
    ? 'the session was taken over.'
    : 'the turn was interrupted.';
}

function dispatchable(segment: Segment | undefined): string[] {
  return (segment ?? []).filter((call) => call.kind === 'ready').map(({ call }) => call.id);
}

function effectClassOf(call: PreparedCall | undefined) {
  return call?.kind === 'ready' ? call.definition.effect : 'none';
}
