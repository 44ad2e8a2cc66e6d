import { blocksOfHistory } from '../transcript/history.ts';
import { addBlock } from '../transcript/transcript.ts';
import { FOLLOW, shiftView } from '../transcript/viewport.ts';
import { abandonTurn } from './host-events.ts';
import { type Env, type HistoryPage, type Step, step, andThen, type UiMessage } from './message.ts';
import { holdAll, pump } from './outbox.ts';
import { freshTranscript, type UiState } from './ui-state.ts';

type Message<T extends UiMessage['type']> = UiMessage & { readonly type: T };

/** The backend has said who it is: open what was asked for, offer a model where there is none, send what waited. */
export function backendReady(state: UiState, { hello, commands }: Message<'backend.ready'>, env: Env): Step {
  const isFirst = state.link.phase === 'starting';
  const ready: UiState = {
    ...state,
    link: { phase: 'ready' },
    home: hello.home,
    route: hello.route,
    routeProblem: hello.route_problem,
    hostCommands: commands,
    busyInput: hello.busy_input,
    thinking: isFirst && !hello.show_reasoning ? 'hidden' : state.thinking,
  };
  const modelled = isFirst ? greet(ready, hello.config_warnings) : chooseAgain(ready, env);
  return andThen(modelled, (next) => {
    const ref = next.session?.session_id ?? next.resumeRef;
    return ref === null
      ? pump(next, env)
      : step({ ...next, opening: 'resuming', resumeRef: ref }, { type: 'resumeSession', ref });
  });
}

function greet(state: UiState, warnings: readonly string[]): Step {
  const told = warnings.reduce((next, text) => note(next, 'warning', text), state);
  if (told.route) return step(told);
  return step({ ...told, firstRun: { page: 'choices', selected: 0, options: null } }, { type: 'listModels' });
}

/** A backend that was started again knows only what is configured; until it has the chosen model nothing is sent. */
function chooseAgain(state: UiState, env: Env): Step {
  const { chosenModel: option } = state;
  if (!option) return step(state);
  return step({ ...state, route: null }, { type: 'selectModel', requestId: env.newId(), option, persist: false });
}

export function backendLost(state: UiState, reason: string, env: Env): Step {
  const hadTurn = state.turn !== null;
  const held = { ...holdAll(abandonTurn(state)), link: { phase: 'restarting' } as const, opening: null };
  const told = note(held, 'warning', env.messages.backend.lost(reason || env.messages.backend.closed));
  return step(hadTurn ? note(told, 'info', env.messages.backend.replyLost) : told);
}

export function backendDown(state: UiState, { reason, everReady }: Message<'backend.down'>, env: Env): Step {
  const { cannotStart, closed, gaveUp } = env.messages.backend;
  const held = { ...holdAll(abandonTurn(state)), link: { phase: 'down' } as const, opening: null };
  return step(note(held, 'error', (everReady ? gaveUp : cannotStart)(reason || closed)));
}

/** A saved session is open. After a restart of the backend the screen already shows it. */
export function sessionResumed(state: UiState, message: Message<'session.resumed'>, env: Env): Step {
  const { session, running, history } = message;
  const isSame = state.session?.session_id === session.session_id;
  const opened: UiState = {
    ...state,
    session,
    opening: null,
    resumeRef: null,
    status: running ? { kind: 'working', text: '' } : null,
  };
  if (isSame) return pump(note(opened, 'info', env.messages.backend.restarted), env);
  const { settled, ...rest } = freshTranscript(state);
  const transcript = {
    ...rest,
    settled: [...settled, ...blocksOfHistory(history.blocks)],
    olderBefore: olderBefore(history),
  };
  return pump({ ...opened, transcript, view: FOLLOW, usage: null, turn: null, loadingOlder: false }, env);
}

export function sessionRefused(state: UiState, { ref, reason }: Message<'session.refused'>, env: Env): Step {
  const free = { ...state, opening: null, resumeRef: null };
  if (ref !== null) {
    const told = note(free, 'error', env.messages.backend.notResumed(ref, reason));
    return pump({ ...told, session: state.session?.session_id === ref ? null : state.session }, env);
  }
  // Without a session nothing can be sent: the messages go back to the user, with the reason.
  const outbox = state.outbox.map((outgoing) =>
    outgoing.state === 'waiting' ? { ...outgoing, state: 'returned' as const } : outgoing,
  );
  return step(note({ ...free, outbox }, 'error', env.messages.backend.callFailed(reason)));
}

/** Older blocks go before what is shown; the view stays on its line. */
export function olderLoaded(state: UiState, { sessionId, history }: Message<'history.older'>): UiState {
  if (state.session?.session_id !== sessionId) return state;
  const blocks = blocksOfHistory(history.blocks);
  const [banner, ...settled] = state.transcript.settled;
  return {
    ...state,
    loadingOlder: false,
    view: shiftView(state.view, blocks.length),
    transcript: {
      live: state.transcript.live,
      settled: [...(banner ? [banner] : []), ...blocks, ...settled],
      olderBefore: olderBefore(history),
    },
  };
}

/** Says something in the transcript. */
export function note(state: UiState, level: 'info' | 'warning' | 'error', text: string): UiState {
  return { ...state, transcript: addBlock(state.transcript, { kind: 'notice', level, text }) };
}

function olderBefore({ blocks, has_more: hasMore }: HistoryPage): number | null {
  return hasMore ? (blocks[0]?.row_id ?? null) : null;
}
