import { WireTranscript } from '@hermes/context-engine';
import { AbortReason, ulid } from '@hermes/runtime';
import type { Admission, AdmissionIntent, SessionRecord } from '@hermes/session-db';
import { ToolState } from '@hermes/tool-registry';
import { EventQueue } from '../events/event-queue.ts';
import { EventStream, type TurnEventListener } from '../events/event-stream.ts';
import type { EndReason } from '../result/end-reason.ts';
import { endOfFailure } from '../result/end-of-failure.ts';
import { notStartedResult } from '../result/not-started.ts';
import type { TurnResult } from '../result/turn-result.ts';
import { recoverConversation } from '../turn/recover-conversation.ts';
import { runTurn } from '../turn/run-turn.ts';
import { SessionMemory } from '../turn/session-memory.ts';
import { type PendingSteer, TurnState } from '../turn/turn-state.ts';
import type { EngineParts } from './engine.ts';
import type { RunOptions } from './engine-options.ts';
import type { ControlOutcome, TurnRun } from './turn-run.ts';

/** Input for `submit`. */
export interface SubmitOptions {
  /** Repeating an id answers the first admission again. */
  readonly requestId: string;
  /** Who speaks. Default `local`. */
  readonly principalId?: string;
  /** What to do while a turn runs: wait for an own turn, or join the running one. */
  readonly intent: AdmissionIntent;
  /** Most model calls of the turn. */
  readonly limit: number;
  /** Aborting it interrupts the turn, also before it begins. */
  readonly signal?: AbortSignal;
  /** Hears the events of this input's turn only. */
  readonly listener?: TurnEventListener;
}

export interface Submission {
  readonly admission: Admission;
  readonly status: 'streaming' | 'queued' | 'steered';
  /** The result of the input's own turn; for a steered input that of the turn it joined. Never rejects. */
  readonly result: Promise<TurnResult>;
}

interface RunningTurn {
  readonly state: TurnState;
  readonly done: Promise<TurnResult>;
}

interface Waiter {
  readonly options: SubmitOptions;
  readonly settle: (result: TurnResult) => void;
}

/**
 * An opened session: accepts input durably, runs one turn at a time in the order the inputs came, and tells listeners what happens.
 */
export class Session {
  readonly id: string;
  readonly #parts: EngineParts;
  readonly #onClose: () => void;
  readonly #memory = new SessionMemory();
  readonly #toolState = new ToolState();
  readonly #listeners = new Set<TurnEventListener>();
  /** Inputs that this process runs, by admission; one without a waiter was adopted from a dead process or was steered too late. */
  readonly #own = new Map<string, Waiter | undefined>();
  #record: SessionRecord;
  #steers: PendingSteer[] = [];
  #running: RunningTurn | undefined;
  #drain: Promise<void> | undefined;
  #adopted = false;
  #closed = false;

  constructor(record: SessionRecord, parts: EngineParts, onClose: () => void) {
    this.id = record.id;
    this.#record = record;
    this.#parts = parts;
    this.#onClose = onClose;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Listens to the events of every turn from now on. Returns the way to stop. */
  onEvent(listener: TurnEventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Runs one input as a turn of its own. Throws `RangeError` at once for a limit that is not a positive whole number or an empty
   * text; every later failure is in the result.
   */
  run(text: string, options: RunOptions): TurnRun {
    if (!Number.isInteger(options.limit) || options.limit < 1)
      throw new RangeError('limit must be a positive whole number');
    if (text.trim() === '') throw new RangeError('text must not be empty');
    const stop = new AbortController();
    const queues = new Set<EventQueue>();
    let ended = false;
    const listener: TurnEventListener = (event) => {
      ended ||= event.type === 'turn.ended';
      for (const queue of queues) queue.push(event);
    };
    const result = this.submit(text, {
      requestId: options.requestId ?? ulid(this.#parts.clock.now()),
      intent: 'queue',
      limit: options.limit,
      signal: options.signal ? AbortSignal.any([stop.signal, options.signal]) : stop.signal,
      listener,
    }).then(
      (submission) => submission.result,
      (error: unknown) => this.#endWithoutTurn(endOfFailure(error), listener, error),
    );
    return {
      get events() {
        const queue = new EventQueue();
        queues.add(queue);
        return queue;
      },
      result,
      interrupt: (reason = new AbortReason('user_stop', 'caller')) => {
        if (ended || stop.signal.aborted) return false;
        stop.abort(reason);
        return true;
      },
      steer: (words) => this.steer(words, options.limit),
    };
  }

  /** Accepts input durably and answers what becomes of it; the events tell the rest. Rejects when it cannot be accepted. */
  async submit(text: string, options: SubmitOptions): Promise<Submission> {
    const admission = await this.#parts.store.admit({
      requestId: options.requestId,
      principalId: options.principalId ?? 'local',
      owner: this.#parts.holder,
      sessionId: this.id,
      text,
      intent: options.intent,
    });
    const running = this.#running;
    if (options.intent === 'steer' && running) {
      this.#steers.push({ admissionId: admission.id, text });
      return { admission, status: 'steered', result: running.done };
    }
    const { promise, resolve } = Promise.withResolvers<TurnResult>();
    const status = this.#drain ? 'queued' : 'streaming';
    this.#own.set(admission.id, { options, settle: resolve });
    void this.#startDrain(options.limit);
    return { admission, status, result: promise };
  }

  /** Words for the running turn; with none running they are input like any other. */
  async steer(text: string, limit: number): Promise<ControlOutcome> {
    if (this.#closed || text.trim() === '') return 'rejected';
    const submission = await this.submit(text, { requestId: ulid(this.#parts.clock.now()), intent: 'steer', limit });
    return submission.status === 'steered' ? 'accepted' : 'queued';
  }

  /** Stops the running turn. Inputs that wait stay where they are. */
  interrupt(reason: AbortReason = new AbortReason('user_stop', 'caller')): boolean {
    if (!this.#running || this.#running.state.signal.aborted) return false;
    this.#running.state.controller.abort(reason);
    return true;
  }

  /** Interrupts the running turn, waits for its end, and lets the tools clean up. Inputs that wait stay in the store. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.interrupt(new AbortReason('shutdown', 'close'));
    await this.#drain;
    for (const id of this.#own.keys()) this.#settleWithoutTurn(id, { code: 'interrupted_before_start' });
    this.#toolState.close();
    this.#onClose();
  }

  /** Runs waiting inputs one after the other until none is left; there is one such loop at a time. */
  #startDrain(limit: number): Promise<void> {
    this.#drain ??= this.#drainAll(limit).finally(() => {
      this.#drain = undefined;
      if (this.#own.size > 0 && !this.#closed) void this.#startDrain(limit);
    });
    return this.#drain;
  }

  async #drainAll(limit: number): Promise<void> {
    try {
      await this.#adoptOrphans();
      while (!this.#closed && this.#own.size > 0) {
        const known = [...this.#own.keys()];
        const open = await this.#parts.store.openAdmissions(this.id);
        const queued = new Map(
          open.filter(({ status }) => status === 'queued').map((admission) => [admission.id, admission]),
        );
        for (const id of known) if (!queued.has(id)) this.#settleWithoutTurn(id, { code: 'lease_lost' });
        const next = [...queued.values()].find((admission) => this.#own.has(admission.id));
        if (next) await this.#runOne(next, limit);
      }
    } catch (error) {
      for (const id of this.#own.keys()) this.#settleWithoutTurn(id, endOfFailure(error), error);
    }
  }

  /** Once for an opened session: what a dead process had accepted is run by this one, in its old place. */
  async #adoptOrphans(): Promise<void> {
    if (this.#adopted) return;
    const { store, holder } = this.#parts;
    const attempt = await store.acquireLease({ conversationId: this.id, holder });
    if (!attempt.acquired) return;
    this.#adopted = true;
    const { notices } = await recoverConversation(store, attempt.lease);
    this.#memory.notices.push(...notices);
    this.#memory.fence = attempt.lease.fence;
    for (const { id } of await store.adoptOrphans(attempt.lease)) if (!this.#own.has(id)) this.#own.set(id, undefined);
    await store.releaseLease(attempt.lease);
  }

  async #runOne(admission: Admission, limit: number): Promise<void> {
    const waiter = this.#own.get(admission.id);
    this.#own.delete(admission.id);
    const { clock, tools, client } = this.#parts;
    const signal = waiter?.options.signal;
    const state = new TurnState({
      turnId: ulid(clock.now()),
      admission,
      session: this.#record,
      limit: waiter?.options.limit ?? limit,
      startedAt: clock.monotonic(),
      tools,
      wire: new WireTranscript(),
      client: client(),
    });
    const own = new Set(waiter?.options.listener ? [waiter.options.listener] : []);
    const events = new EventStream(state.turnId, this.id, clock, own, this.#listeners);
    const forward = () => state.controller.abort(signal?.reason);
    if (signal?.aborted) forward();
    else signal?.addEventListener('abort', forward, { once: true });
    const done = runTurn(state, {
      ...this.#parts,
      events,
      toolState: this.#toolState,
      memory: this.#memory,
      takeSteers: () => this.#steers.splice(0),
    });
    this.#running = { state, done };
    const result = await done;
    signal?.removeEventListener('abort', forward);
    this.#record = state.session;
    this.#running = undefined;
    // Words that came too late for this turn are the next input.
    for (const steer of this.#steers.splice(0)) this.#own.set(steer.admissionId, undefined);
    waiter?.settle(result);
  }

  /** Nobody is left waiting for ever: an input that cannot run here gets an end that says why. */
  #settleWithoutTurn(id: string, end: EndReason, cause?: unknown): void {
    const waiter = this.#own.get(id);
    this.#own.delete(id);
    waiter?.settle(this.#endWithoutTurn(end, waiter.options.listener, cause));
  }

  #endWithoutTurn(end: EndReason, listener: TurnEventListener | undefined, cause?: unknown): TurnResult {
    const { provider, model } = this.#record;
    const result = notStartedResult(this.id, end, { provider, model, baseUrl: '' }, cause);
    new EventStream('', this.id, this.#parts.clock, new Set(listener ? [listener] : [])).emit({
      type: 'turn.ended',
      result,
    });
    return result;
  }
}
