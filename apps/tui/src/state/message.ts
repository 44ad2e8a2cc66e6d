import type { HostEvent, MethodResult } from '@hermes/host/rpc';
import type { InputEvent } from '../input/input-event.ts';
import type { Messages } from '../language/messages.ts';
import type { Paint } from '../text/style.ts';
import type { LinesOf } from '../transcript/viewport.ts';
import type { ModelOption, RouteInfo, SessionInfo, UiState } from './ui-state.ts';

export type HistoryPage = MethodResult<'session.history'>;

/** Everything that can change the screen. */
export type UiMessage =
  | { readonly type: 'input'; readonly events: readonly InputEvent[] }
  | { readonly type: 'prompt'; readonly text: string }
  | { readonly type: 'resize'; readonly columns: number; readonly rows: number }
  | { readonly type: 'tick' }
  | { readonly type: 'lexer.loaded' }
  | {
      readonly type: 'backend.ready';
      readonly hello: MethodResult<'hello'>;
      readonly commands: MethodResult<'commands.catalog'>['commands'];
    }
  | { readonly type: 'backend.lost'; readonly reason: string }
  | { readonly type: 'backend.down'; readonly reason: string; readonly everReady: boolean }
  | { readonly type: 'backend.noise' }
  | { readonly type: 'host.events'; readonly events: readonly HostEvent[] }
  | { readonly type: 'session.created'; readonly session: SessionInfo }
  | {
      readonly type: 'session.resumed';
      readonly session: SessionInfo;
      readonly running: boolean;
      readonly history: HistoryPage;
    }
  | { readonly type: 'session.refused'; readonly ref: string | null; readonly reason: string }
  | { readonly type: 'history.older'; readonly sessionId: string; readonly history: HistoryPage }
  | {
      readonly type: 'prompt.admitted';
      readonly requestId: string;
      readonly status: MethodResult<'prompt.submit'>['status'];
      readonly admissionId: string;
    }
  | { readonly type: 'prompt.refused'; readonly requestId: string; readonly reason: string }
  | { readonly type: 'sessions.listed'; readonly sessions: readonly SessionInfo[] }
  | { readonly type: 'models.listed'; readonly options: readonly ModelOption[] }
  | {
      readonly type: 'model.selected';
      readonly option: ModelOption;
      readonly route: RouteInfo;
      readonly notice: string;
    }
  | { readonly type: 'command.answered'; readonly line: string; readonly result: MethodResult<'command.dispatch'> }
  | { readonly type: 'call.failed'; readonly reason: string };

/** What a change asks of the world outside. */
export type Effect =
  | { readonly type: 'createSession'; readonly requestId: string; readonly cwd: string }
  | { readonly type: 'resumeSession'; readonly ref: string }
  | { readonly type: 'loadOlder'; readonly sessionId: string; readonly beforeRow: number }
  | {
      readonly type: 'submit';
      readonly requestId: string;
      readonly sessionId: string;
      readonly text: string;
      readonly intent: 'queue' | 'steer';
    }
  | { readonly type: 'interrupt'; readonly sessionId: string }
  | { readonly type: 'listSessions' }
  | { readonly type: 'listModels' }
  | {
      readonly type: 'selectModel';
      readonly requestId: string;
      readonly option: ModelOption;
      readonly persist: boolean;
    }
  | { readonly type: 'dispatchCommand'; readonly sessionId: string | null; readonly line: string }
  | { readonly type: 'repaint' }
  | { readonly type: 'suspend' }
  | { readonly type: 'exit'; readonly code: number };

/** What a change may look at besides the state. */
export interface Env {
  readonly now: number;
  readonly messages: Messages;
  readonly paint: Paint;
  newId(): string;
  /** Lines of blocks as they are drawn in this state. */
  linesOf(state: UiState): LinesOf;
}

/** The outcome of a change. */
export interface Step {
  readonly state: UiState;
  readonly effects: readonly Effect[];
}

export function step(state: UiState, ...effects: readonly Effect[]): Step {
  return { state, effects };
}

/** Goes on from a step: effects add up. */
export function andThen(first: Step, next: (state: UiState) => Step): Step {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}
