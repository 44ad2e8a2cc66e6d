import type { FailureReason, ModelClient, ModelRequest, ModelResponse, Usage } from '@hermes/providers';
import type { WireTranscript } from '@hermes/context-engine';
import type { Admission, Lease, NewRow, SessionRecord } from '@hermes/session-db';
import type { PreparedCall, ToolList } from '@hermes/tool-registry';
import { Budget } from '../budget/budget.ts';
import type { EndReason } from '../result/end-reason.ts';
import { NO_USAGE } from '../result/turn-result.ts';

/** Input that waits to be taken up by the running turn. */
export interface PendingSteer {
  readonly admissionId: string;
  readonly text: string;
}

/** How often each recovery ladder was climbed in this turn. */
export interface LadderCounts {
  /** Nudges after an empty answer since the last round of tools. */
  emptyNudges: number;
  emptyRetries: number;
  /** Empty answers in a row for which the provider counted no output at all. */
  zeroOutputs: number;
  continuations: number;
  cutCalls: number;
  malformedCalls: number;
  malformedRounds: number;
  unknownToolRounds: number;
}

export interface TurnFailure {
  readonly reason: FailureReason | 'internal' | 'persistence';
  readonly message: string;
}

/**
 * The single mutable record of a turn. Phases change this and nothing else; it is dropped when the turn is finalized.
 */
export class TurnState {
  readonly turnId: string;
  readonly admission: Admission;
  readonly controller = new AbortController();
  readonly budget: Budget;
  readonly startedAt: number;
  session: SessionRecord;

  lease: Lease | undefined;
  /** True once the turn row exists, so that its end must be written. */
  opened = false;
  system = '';
  tools: ToolList;
  wire: WireTranscript;
  client: ModelClient;

  request: ModelRequest | undefined;
  response: ModelResponse | undefined;
  /** Calls of the response, ready to run or with the reason why not. */
  calls: readonly PreparedCall[] = [];
  /** Ids of all calls of this turn, so that a provider that reuses one cannot confuse results. */
  readonly callIds = new Set<string>();
  /** Text of the call in flight that people have seen. */
  streamedText = '';
  /** A continued answer: what came before the last piece. */
  answerSoFar = '';
  maxOutputTokens: number | undefined;
  /** Set for the one call after the budget is spent. */
  graceGranted = false;
  /** Whether a request of this turn was sent after the newest row; until then rows may still join the last message. */
  sentSinceLastRow = false;

  apiCalls = 0;
  toolCallCount = 0;
  usage: Usage = NO_USAGE;
  /** Spend that no row carries yet. */
  unrecorded: { readonly usage: Usage; readonly requests: number } | undefined;
  lastPromptTokens = 0;
  servedModel: string | undefined;
  readonly ladders: LadderCounts = {
    emptyNudges: 0,
    emptyRetries: 0,
    zeroOutputs: 0,
    continuations: 0,
    cutCalls: 0,
    malformedCalls: 0,
    malformedRounds: 0,
    unknownToolRounds: 0,
  };

  end: EndReason | undefined;
  failure: TurnFailure | undefined;
  finalText = '';
  /** Rows to be written with the end of the turn. */
  closingRows: NewRow[] = [];
  readonly cleanupErrors: string[] = [];

  constructor(start: {
    readonly turnId: string;
    readonly admission: Admission;
    readonly session: SessionRecord;
    readonly limit: number;
    readonly startedAt: number;
    readonly tools: ToolList;
    readonly wire: WireTranscript;
    readonly client: ModelClient;
  }) {
    this.turnId = start.turnId;
    this.admission = start.admission;
    this.session = start.session;
    this.budget = new Budget(start.limit);
    this.startedAt = start.startedAt;
    this.tools = start.tools;
    this.wire = start.wire;
    this.client = start.client;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The lease that phases after `admit` hold. */
  get heldLease(): Lease {
    if (!this.lease) throw new Error('a phase that writes ran before the lease was held');
    return this.lease;
  }
}

/** What a phase says: go on, begin the iteration anew, or leave the loop and finalize. */
export type Verdict = 'next' | 'continue' | 'break';
