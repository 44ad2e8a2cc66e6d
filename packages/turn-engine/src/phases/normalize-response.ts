import { createHash } from 'node:crypto';
import type { ToolCall } from '@hermes/providers';
import { type PreparedCall, prepareCall } from '@hermes/tool-registry';
import type { TurnPorts } from '../turn/ports.ts';
import type { TurnState, Verdict } from '../turn/turn-state.ts';

/** Calls that were cut off are asked for again so often (turn spec 7). */
const MAX_CUT_CALLS = 4;
/** The output cap of such a repeat grows from this to this, in tokens. */
const BOOST_FROM = 4096;
const BOOST_TO = 32_768;

/** Unreadable arguments are asked for again silently so often, before the model is told (turn spec 6). */
const MAX_SILENT_RECALLS = 2;
/** And it is told so often before the turn ends. */
const MAX_TOLD_RECALLS = 2;

/** Gives every call a unique id and decides of each whether it can run. Cut and broken calls lead to another call of the model. */
export async function normalizeResponse(state: TurnState, ports: TurnPorts): Promise<Verdict> {
  const { response } = state;
  if (!response) throw new Error('normalizeResponse ran without a response');
  if (state.graceGranted || response.toolCalls.length === 0) {
    state.calls = [];
    return 'next';
  }
  const cut = response.finish === 'length';
  const calls = response.toolCalls.map((call, index) => withUniqueId(call, index, state.callIds));
  state.calls = await Promise.all(calls.map((call) => prepareCall(call, state.tools, ports.validator, cut)));
  if (cut || hasFault(state.calls, 'arguments_truncated')) return afterCutCall(state, ports);
  if (hasFault(state.calls, 'arguments_unparseable')) return afterBrokenCall(state, ports);
  state.ladders.malformedCalls = 0;
  return accept(state);
}

function accept(state: TurnState): Verdict {
  for (const { call } of state.calls) state.callIds.add(call.id);
  return 'next';
}

function afterCutCall(state: TurnState, ports: TurnPorts): Verdict {
  const n = ++state.ladders.cutCalls;
  if (n > MAX_CUT_CALLS) {
    state.end = { code: 'tool_call_truncated' };
    return 'break';
  }
  state.maxOutputTokens = Math.min(BOOST_FROM * 2 ** n, BOOST_TO);
  return recall('truncated', n, MAX_CUT_CALLS, state, ports);
}

function afterBrokenCall(state: TurnState, ports: TurnPorts): Verdict {
  const n = ++state.ladders.malformedCalls;
  if (n <= MAX_SILENT_RECALLS) return recall('malformed_call', n, MAX_SILENT_RECALLS, state, ports);
  state.ladders.malformedCalls = 0;
  if (++state.ladders.malformedRounds > MAX_TOLD_RECALLS) {
    state.end = { code: 'malformed_tool_call' };
    return 'break';
  }
  return accept(state);
}

function recall(
  ladder: 'truncated' | 'malformed_call',
  n: number,
  of: number,
  state: TurnState,
  ports: TurnPorts,
): Verdict {
  ports.events.emit({ type: 'recovery.step', ladder, n, of });
  if (state.streamedText !== '') ports.events.emit({ type: 'text.retracted', cause: ladder });
  return 'continue';
}

function hasFault(calls: readonly PreparedCall[], fault: string): boolean {
  return calls.some((call) => call.kind === 'invalid' && call.fault === fault);
}

/** A missing id is derived from the call, a repeated one gets a suffix: never random, because ids are part of the prefix. */
function withUniqueId(call: ToolCall, index: number, taken: ReadonlySet<string>): ToolCall {
  const digest = () =>
    createHash('sha256').update(`${call.name}\0${call.argumentsJson}\0${index}`).digest('hex').slice(0, 24);
  const base = call.id === '' ? `call_${digest()}` : call.id;
  let id = base;
  for (let n = 2; taken.has(id); n++) id = `${base}_${n}`;
  return id === call.id ? call : { ...call, id };
}
