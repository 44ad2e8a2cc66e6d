import type { MethodResult } from '@hermes/host/rpc';
import type { CommandInfo } from '../commands/local-commands.ts';
import { type Editor, EMPTY_EDITOR } from '../composer/editor.ts';
import { EMPTY_HISTORY, type History } from '../composer/history.ts';
import type { ThinkingMode } from '../transcript/block-lines.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { FOLLOW, type View } from '../transcript/viewport.ts';

type Hello = MethodResult<'hello'>;
export type RouteInfo = NonNullable<Hello['route']>;
export type SessionInfo = MethodResult<'session.create'>['session'];
export type ModelOption = MethodResult<'model.options'>['options'][number];

/** Whether the backend can be talked to. `down` is final: it will not be started again. */
export type Link =
  | { readonly phase: 'starting' }
  | { readonly phase: 'ready' }
  | { readonly phase: 'restarting' }
  | { readonly phase: 'down' };

/** The turn that runs. */
export interface Turn {
  readonly id: string;
  readonly startedAt: number;
  readonly stopping: boolean;
  /** The tool whose arguments the model is writing. */
  readonly drafting: string | null;
  readonly tools: number;
  readonly failed: number;
}

/**
 * A message on its way. `waiting`: not handed over yet. `sending`: handed over, no answer. `queued` and `steering`: the host has
 * it. `returned`: it was not delivered and waits for the user.
 */
export interface Outgoing {
  readonly requestId: string;
  readonly text: string;
  readonly intent: 'queue' | 'steer';
  readonly state: 'waiting' | 'sending' | 'queued' | 'steering' | 'returned';
  readonly admissionId: string | null;
  /** True while the transcript already shows it, so that it does not jump when the turn starts. */
  readonly echoed: boolean;
}

/** A list over the transcript, or the help. It owns the keys; the draft below stays as it is. */
export type Overlay =
  | {
      readonly kind: 'sessions';
      readonly filter: string;
      readonly selected: number;
      readonly sessions: readonly SessionInfo[] | null;
    }
  | {
      readonly kind: 'models';
      readonly filter: string;
      readonly selected: number;
      readonly options: readonly ModelOption[] | null;
    }
  | { readonly kind: 'help'; readonly offset: number };

/** The card of a start without any model (CLI spec 6.2). It takes keys only while the composer is empty. */
export interface FirstRun {
  readonly page: 'choices' | 'steps';
  readonly selected: number;
  readonly options: readonly ModelOption[] | null;
}

/** A key that does something only when it is pressed again soon. */
interface Armed {
  readonly what: 'exit' | 'forceQuit' | 'interrupt' | 'discard' | 'exitWhileRunning';
  readonly until: number;
}

/** Everything the screen is drawn from. */
export interface UiState {
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
  readonly startedAt: number;
  readonly version: string;
  readonly profile: string;
  readonly cwd: string;
  readonly home: string;
  readonly link: Link;
  readonly route: RouteInfo | null;
  /** The model chosen here, to be chosen again when the backend had to be started again. */
  readonly chosenModel: ModelOption | null;
  readonly routeProblem: string | null;
  readonly session: SessionInfo | null;
  /** What is being done to have a session. */
  readonly opening: 'creating' | 'resuming' | null;
  /** The session to open as soon as the backend answers: an id, a title or `latest`. */
  readonly resumeRef: string | null;
  readonly turn: Turn | null;
  /** What the host says it does, where that is more than the turn shows: waiting, retrying. */
  readonly status: { readonly kind: string; readonly text: string } | null;
  readonly usage: { readonly tokens: number; readonly window: number } | null;
  readonly transcript: Transcript;
  readonly loadingOlder: boolean;
  readonly view: View;
  readonly editor: Editor;
  readonly history: History;
  readonly completion: { readonly selected: number; readonly dismissed: boolean };
  readonly outbox: readonly Outgoing[];
  readonly hostCommands: readonly CommandInfo[];
  readonly overlay: Overlay | null;
  readonly firstRun: FirstRun | null;
  readonly armed: Armed | null;
  readonly flash: { readonly text: string; readonly until: number } | null;
  readonly counts: { readonly prompts: number; readonly tools: number };
  readonly thinking: ThinkingMode;
  /** What Enter does while a turn runs. */
  readonly busyInput: 'queue' | 'steer';
  /** True once markdown can be laid out. */
  readonly lexerReady: boolean;
}

interface Start {
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
  readonly version: string;
  readonly profile: string;
  readonly cwd: string;
  readonly resumeRef: string | null;
}

export function initialState(start: Start): UiState {
  return {
    ...start,
    startedAt: start.now,
    home: '',
    link: { phase: 'starting' },
    route: null,
    chosenModel: null,
    routeProblem: null,
    session: null,
    opening: null,
    turn: null,
    status: null,
    usage: null,
    transcript: freshTranscript(start),
    loadingOlder: false,
    view: FOLLOW,
    editor: EMPTY_EDITOR,
    history: EMPTY_HISTORY,
    completion: { selected: 0, dismissed: false },
    outbox: [],
    hostCommands: [],
    overlay: null,
    firstRun: null,
    armed: null,
    flash: null,
    counts: { prompts: 0, tools: 0 },
    thinking: 'expanded',
    busyInput: 'steer',
    lexerReady: false,
  };
}

/** The transcript of a new session: the banner. */
export function freshTranscript({ version, cwd }: Pick<UiState, 'version' | 'cwd'>): Transcript {
  return { settled: [{ kind: 'banner', version, cwd }], live: [], olderBefore: null };
}

/** True while a turn runs or a prompt that starts one is on its way. */
export function isRunning({ turn, outbox }: UiState): boolean {
  return turn !== null || outbox.some(({ state }) => state === 'sending');
}

/** True while something on screen changes by itself: the clock of a turn, a hint that will go. */
export function isAnimated(state: UiState): boolean {
  return isRunning(state) || state.armed !== null || state.flash !== null;
}
