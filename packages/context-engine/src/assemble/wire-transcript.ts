import type { Message, ToolCall, UserMessage } from '@hermes/providers';

/** A transcript row as far as the model is concerned. Rows of the session store fit as they are. */
export interface TranscriptRow {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** What was sent in this slot the first time, when it differs from `content`. */
  readonly apiContent?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly displayKind?: string;
}

/** What assembling had to mend; stored rows stay as they are. */
export interface SequenceRepairs {
  /** Results whose call is not there: left out. */
  droppedResults: number;
  /** Calls without a result: given one that says so. */
  answeredCalls: number;
  /** Neighbours of one role: joined. */
  joinedRows: number;
}

const UNANSWERED = JSON.stringify({
  error: 'No result of this call is on record; its effect is unknown.',
  effect: 'unknown',
});

/**
 * The messages of a session as they go to the model, built row by row (context spec 3.2). A pure function of the rows: a process
 * that resumes builds the same messages as the one it replaces, and a row already sent is never changed by a later one.
 * Adding a row costs that row, whatever the length of the history.
 *
 * @example
 * const wire = new WireTranscript(await store.activeRows(sessionId));
 * wire.append([row]);
 * client.stream({ system, messages: wire.messages, tools, signal });
 */
export class WireTranscript {
  readonly #messages: Message[] = [];
  /** Calls of the newest assistant message that wait for their result, by id. */
  readonly #open = new Map<string, ToolCall>();
  readonly repairs: SequenceRepairs = { droppedResults: 0, answeredCalls: 0, joinedRows: 0 };

  constructor(rows: readonly TranscriptRow[] = []) {
    this.append(rows);
  }

  append(rows: readonly TranscriptRow[]): void {
    for (const row of rows) {
      if (row.displayKind === 'interrupted_partial') continue;
      if (row.role === 'tool') this.#addResult(row);
      else if (row.role === 'user') this.#addUser(row.apiContent ?? row.content);
      else this.#addAssistant(row);
    }
  }

  /** Messages in order. A call that has no result yet is answered here, so that every request is well formed. */
  get messages(): readonly Message[] {
    this.#answerOpenCalls();
    return this.#messages;
  }

  #addResult(row: TranscriptRow): void {
    const call = row.toolCallId === undefined ? undefined : this.#open.get(row.toolCallId);
    if (!call) {
      this.repairs.droppedResults++;
      return;
    }
    this.#open.delete(call.id);
    this.#messages.push({
      role: 'tool',
      toolCallId: call.id,
      toolName: call.name,
      content: row.apiContent ?? row.content,
    });
  }

  #addUser(content: string): void {
    this.#answerOpenCalls();
    const last = this.#messages.at(-1);
    if (last?.role === 'user' && typeof last.content === 'string') {
      const joined: UserMessage = { role: 'user', content: `${last.content}\n\n${content}` };
      this.#messages[this.#messages.length - 1] = joined;
      this.repairs.joinedRows++;
    } else {
      this.#messages.push({ role: 'user', content });
    }
  }

  #addAssistant(row: TranscriptRow): void {
    this.#answerOpenCalls();
    const content = row.apiContent ?? row.content;
    const calls = row.toolCalls ?? [];
    if (content === '' && calls.length === 0) return;
    for (const call of calls) this.#open.set(call.id, call);
    const last = this.#messages.at(-1);
    const toolCalls = calls.length > 0 ? { toolCalls: calls } : {};
    if (last?.role === 'assistant' && !last.toolCalls) {
      const joined = [last.content, content].filter((text) => text !== '').join('\n\n');
      this.#messages[this.#messages.length - 1] = { role: 'assistant', content: joined, ...toolCalls };
      this.repairs.joinedRows++;
      return;
    }
    this.#messages.push({ role: 'assistant', content, ...toolCalls });
  }

  #answerOpenCalls(): void {
    for (const call of this.#open.values()) {
      this.#messages.push({ role: 'tool', toolCallId: call.id, toolName: call.name, content: UNANSWERED });
      this.repairs.answeredCalls++;
    }
    this.#open.clear();
  }
}
