import { WireTranscript } from '@hermes/context-engine';
import { HermesError } from '@hermes/runtime';
import { ToolList } from '@hermes/tool-registry';
import type { TurnPorts } from '../turn/ports.ts';
import type { TurnState, Verdict } from '../turn/turn-state.ts';

/** Restores or builds the frozen prompt, then opens the turn with the user's row: both durable before the first call. */
export async function buildContext(state: TurnState, ports: TurnPorts): Promise<Verdict> {
  state.session = (await ports.store.session(state.session.id)) ?? state.session;
  state.client = ports.client();
  state.tools = pinnedTools(state, ports);
  state.system = ports.memory.system ?? (await restoreOrBuildPrompt(state, ports));
  const loaded = ports.memory.wire ?? new WireTranscript(await ports.store.activeRows(state.session.id));
  const userRow = await ports.store.beginTurn(state.heldLease, {
    turnId: state.turnId,
    admissionId: state.admission.id,
    userRow: { role: 'user', content: state.admission.text },
  });
  state.opened = true;
  // A user row of an earlier attempt was already loaded with the history.
  if (userRow.turnId === state.turnId) loaded.append([userRow]);
  state.wire = loaded;
  ports.memory.system = state.system;
  ports.memory.wire = loaded;
  ports.events.emit({
    type: 'turn.started',
    admissionId: state.admission.id,
    input: state.admission.text,
    provider: state.client.route.provider,
    model: state.client.route.model,
    limit: state.budget.limit,
  });
  ports.events.emit({ type: 'message.appended', rowId: userRow.id, role: 'user', kind: 'input' });
  return 'next';
}

async function restoreOrBuildPrompt(state: TurnState, ports: TurnPorts): Promise<string> {
  const { promptHash } = state.session;
  if (promptHash !== undefined) {
    const stored = await ports.store.prompt(promptHash);
    if (!stored)
      throw new HermesError(
        'prompt_missing',
        `The prompt ${promptHash} of session ${state.session.id} is not in the store.`,
      );
    return stored.text;
  }
  const { prompt, notices } = await ports.renderPrompt(state.session, state.tools);
  const pin = { names: state.tools.names, schemaHash: state.tools.schemaHash };
  await ports.store.bindPrompt(state.heldLease, state.session.id, prompt, pin);
  for (const text of notices) ports.events.emit({ type: 'notice', level: 'warning', code: 'context_file', text });
  return prompt.text;
}

/** A session keeps the tools it began with: their list is part of the cached prefix. */
function pinnedTools(state: TurnState, ports: TurnPorts): ToolList {
  const pin = state.session.toolPin;
  if (!pin || pin.schemaHash === ports.tools.schemaHash) return ports.tools;
  const kept = ports.tools.definitions.filter((definition) => pin.names.includes(definition.name));
  const missing = pin.names.filter((name) => !ports.tools.names.includes(name));
  if (missing.length > 0) {
    ports.events.emit({
      type: 'notice',
      level: 'warning',
      code: 'tools_missing',
      text: `This session began with tools that are not there any more: ${missing.join(', ')}.`,
    });
  }
  return new ToolList(kept);
}
