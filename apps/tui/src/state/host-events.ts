import type { EventPayload, HostEvent } from '@hermes/host/rpc';
import { appendMarkdown, EMPTY_MARKDOWN, finishMarkdown } from '../markdown/split.ts';
import type { AssistantBlock, Block, ReasoningBlock, ToolBlock } from '../transcript/block.ts';
import { addBlock, addLive, replaceLast, settle } from '../transcript/transcript.ts';
import type { Env } from './message.ts';
import { change, findOutgoing, removeOutgoing, unecho } from './outbox.ts';
import type { Turn, UiState } from './ui-state.ts';

/** A report of a running tool replaces the one before; of a long one the newest part is kept. */
const PROGRESS_CHARACTERS = 4000;

/** One event of the open session; events of other sessions change nothing here. */
export function applyEvent(state: UiState, event: HostEvent, env: Env): UiState {
  if (event.session_id !== state.session?.session_id) return state;
  switch (event.type) {
    case 'message.start':
      return startTurn(state, event.payload, env);
    case 'message.delta':
      return addText(withTurn(state, event.payload.turn_id, env), event.payload.text, env);
    case 'message.interim':
      return closeAnswer(withTurn(state, event.payload.turn_id, env), event.payload.text, 'done');
    case 'message.retracted':
      return { ...state, transcript: replaceLast(state.transcript, isOpenAnswer, () => null) ?? state.transcript };
    case 'message.complete':
      return completeTurn(state, event.payload, env);
    case 'reasoning.delta':
      return addReasoning(withTurn(state, event.payload.turn_id, env), event.payload.text, env);
    case 'reasoning.available':
      return closeReasoning(withTurn(state, event.payload.turn_id, env), event.payload.text, env);
    case 'tool.generating':
      return changeTurn(withTurn(state, event.payload.turn_id, env), { drafting: event.payload.name });
    case 'tool.start':
      return startTool(withTurn(state, event.payload.turn_id, env), event.payload, env);
    case 'tool.progress':
      return changeTool(state, event.payload.call_id, (tool) => ({
        ...tool,
        progress: event.payload.text.slice(-PROGRESS_CHARACTERS),
      }));
    case 'tool.complete':
      return completeTool(state, event.payload);
    case 'admission.updated':
      return updateAdmission(state, event.payload);
    case 'session.usage':
      return { ...state, usage: { tokens: event.payload.context_tokens, window: event.payload.context_window } };
    case 'session.title':
      return { ...state, session: { ...state.session, title: event.payload.title } };
    case 'status.update':
      return { ...state, status: event.payload };
    case 'notice':
      return { ...state, transcript: addBlock(state.transcript, { kind: 'notice', ...event.payload }) };
  }
}

/** The turn is gone without an end, as when the backend died: what it was doing is marked so. */
export function abandonTurn(state: UiState): UiState {
  const live = state.transcript.live.map((block): Block => {
    if (block.kind === 'assistant' && block.state === 'open') return finishAnswer(block, 'interrupted');
    if (block.kind === 'reasoning' && block.open) return { ...block, open: false };
    return block.kind === 'tool' && block.state === 'running' ? { ...block, state: 'unknown' } : block;
  });
  return { ...state, turn: null, status: null, transcript: settle({ ...state.transcript, live }) };
}

function newTurn(id: string, env: Env): Turn {
  return { id, startedAt: env.now, stopping: false, drafting: null, tools: 0, failed: 0 };
}

/** Events may come from a turn that began before we looked. */
function withTurn(state: UiState, turnId: string, env: Env): UiState {
  return state.turn ? state : { ...state, turn: newTurn(turnId, env) };
}

function changeTurn(state: UiState, to: Partial<Turn>): UiState {
  return state.turn ? { ...state, turn: { ...state.turn, ...to } } : state;
}

function startTurn(
  state: UiState,
  { turn_id: id, admission_id, text }: EventPayload<'message.start'>,
  env: Env,
): UiState {
  const outgoing = findOutgoing(state, admission_id, text);
  const started = { ...removeOutgoing(state, outgoing), turn: newTurn(id, env), status: null };
  if (outgoing?.echoed || text === '') return started;
  return { ...started, transcript: addLive(state.transcript, { kind: 'user', id, text, steered: false }) };
}

function addText(state: UiState, text: string, env: Env): UiState {
  const known = replaceLast(state.transcript, isOpenAnswer, (block) => growAnswer(block, text));
  if (known) return { ...state, transcript: known };
  const closed = closeOpenReasoning(state, env);
  const block: AssistantBlock = {
    kind: 'assistant',
    text,
    markdown: appendMarkdown(EMPTY_MARKDOWN, text),
    state: 'open',
  };
  return { ...changeTurn(closed, { drafting: null }), transcript: addLive(closed.transcript, block) };
}

function growAnswer(block: Block, text: string): Block {
  if (block.kind !== 'assistant' || !block.markdown) return block;
  return { ...block, text: block.text + text, markdown: appendMarkdown(block.markdown, text) };
}

/** Closes the open answer. The host's text counts where it differs from what was streamed. */
function closeAnswer(state: UiState, text: string, as: 'done' | 'interrupted'): UiState {
  const closed = replaceLast(state.transcript, isOpenAnswer, (block) => {
    if (block.kind !== 'assistant') return block;
    return text === '' || text === block.text
      ? finishAnswer(block, as)
      : { kind: 'assistant', text, markdown: null, state: as };
  });
  if (closed) return { ...state, transcript: closed };
  if (text === '' || lastAnswer(state) === text) return state;
  return { ...state, transcript: addLive(state.transcript, { kind: 'assistant', text, markdown: null, state: as }) };
}

function finishAnswer(block: AssistantBlock, as: 'done' | 'interrupted'): AssistantBlock {
  const markdown = block.markdown && { parts: finishMarkdown(block.markdown), tail: '', fence: null };
  return { ...block, markdown, state: as };
}

function lastAnswer(state: UiState): string | undefined {
  const block = state.transcript.live.findLast(({ kind }) => kind === 'assistant');
  return block?.kind === 'assistant' ? block.text : undefined;
}

function addReasoning(state: UiState, text: string, env: Env): UiState {
  const known = replaceLast(state.transcript, isOpenReasoning, (block) =>
    block.kind === 'reasoning' ? { ...block, text: block.text + text } : block,
  );
  if (known) return { ...state, transcript: known };
  const block: ReasoningBlock = { kind: 'reasoning', text, open: true, startedAt: env.now, durationMs: null };
  return { ...state, transcript: addLive(state.transcript, block) };
}

function closeOpenReasoning(state: UiState, env: Env): UiState {
  const closed = replaceLast(state.transcript, isOpenReasoning, (block) =>
    block.kind === 'reasoning' ? { ...block, open: false, durationMs: env.now - block.startedAt } : block,
  );
  return closed ? { ...state, transcript: closed } : state;
}

/** The whole reasoning of a round. The provider may give it only now, or again after it was streamed. */
function closeReasoning(state: UiState, text: string, env: Env): UiState {
  if (state.transcript.live.some(isOpenReasoning)) return closeOpenReasoning(state, env);
  const shown = state.transcript.live.some((block) => block.kind === 'reasoning' && block.text === text);
  if (text === '' || shown) return state;
  const block: ReasoningBlock = { kind: 'reasoning', text, open: false, startedAt: env.now, durationMs: null };
  return { ...state, transcript: addLive(state.transcript, block) };
}

function startTool(state: UiState, payload: EventPayload<'tool.start'>, env: Env): UiState {
  const closed = closeAnswer(closeOpenReasoning(state, env), '', 'done');
  const block: ToolBlock = {
    kind: 'tool',
    callId: payload.call_id,
    name: payload.name,
    summary: payload.summary,
    state: 'running',
    progress: '',
    preview: '',
    diff: '',
    durationMs: null,
  };
  const counts = { ...closed.counts, tools: closed.counts.tools + 1 };
  const counted = changeTurn(closed, { drafting: null, tools: (closed.turn?.tools ?? 0) + 1 });
  return { ...counted, counts, transcript: addLive(closed.transcript, block) };
}

function completeTool(state: UiState, payload: EventPayload<'tool.complete'>): UiState {
  const completed = changeTool(state, payload.call_id, (tool) => ({
    ...tool,
    state: payload.status,
    progress: '',
    preview: payload.preview,
    diff: payload.inline_diff ?? '',
    durationMs: payload.duration_ms,
  }));
  return payload.status === 'failed' ? changeTurn(completed, { failed: (state.turn?.failed ?? 0) + 1 }) : completed;
}

function changeTool(state: UiState, callId: string, to: (tool: ToolBlock) => ToolBlock): UiState {
  const transcript = replaceLast(
    state.transcript,
    (block) => block.kind === 'tool' && block.callId === callId,
    (block) => (block.kind === 'tool' ? to(block) : block),
  );
  return transcript ? { ...state, transcript } : state;
}

function completeTurn(state: UiState, payload: EventPayload<'message.complete'>, env: Env): UiState {
  const interrupted = payload.status === 'interrupted';
  const hasOpen = state.transcript.live.some(isOpenAnswer);
  // An interrupted turn has no final text; what was shown of it stays.
  const text = interrupted && hasOpen ? '' : payload.text;
  const answered = closeAnswer(closeOpenReasoning(state, env), text, interrupted ? 'interrupted' : 'done');
  const { turn, status, transcript } = abandonTurn({
    ...answered,
    transcript: addLive(answered.transcript, ...closingBlocks(payload, state.turn, hasOpen)),
  });
  return { ...answered, turn, status, transcript, armed: null };
}

function closingBlocks(
  payload: EventPayload<'message.complete'>,
  turn: Turn | null,
  marked: boolean,
): readonly Block[] {
  const blocks: Block[] = [];
  if (payload.explanation !== null && !(payload.status === 'interrupted' && marked)) {
    const level = payload.status === 'failed' ? 'error' : 'warning';
    blocks.push({ kind: 'notice', level, text: payload.explanation });
  }
  const { tools, failed } = turn ?? { tools: 0, failed: 0 };
  blocks.push({ kind: 'turn-end', durationMs: payload.duration_ms, tools, failed });
  return blocks;
}

function updateAdmission(
  state: UiState,
  { admission_id, state: to, text }: EventPayload<'admission.updated'>,
): UiState {
  const outgoing = findOutgoing(state, admission_id, text);
  switch (to) {
    case 'queued':
    case 'steering':
      return outgoing
        ? change(unecho(state, outgoing), outgoing, { admissionId: admission_id, state: to, echoed: false })
        : state;
    case 'delivered': {
      const block: Block = { kind: 'user', id: admission_id, text, steered: true };
      const closed = closeAnswer(state, '', 'done');
      return { ...removeOutgoing(closed, outgoing), transcript: addBlock(closed.transcript, block) };
    }
    case 'returned':
    case 'cancelled':
      return outgoing ? change(unecho(state, outgoing), outgoing, { state: 'returned', echoed: false }) : state;
    case 'started':
      return outgoing ? change(state, outgoing, { admissionId: admission_id }) : state;
    case 'settled':
      return removeOutgoing(state, outgoing);
  }
}

function isOpenAnswer(block: Block): boolean {
  return block.kind === 'assistant' && block.state === 'open';
}

function isOpenReasoning(block: Block): boolean {
  return block.kind === 'reasoning' && block.open;
}
