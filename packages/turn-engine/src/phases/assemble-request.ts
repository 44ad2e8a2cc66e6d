import type { TurnPorts } from '../turn/ports.ts';
import type { TurnState, Verdict } from '../turn/turn-state.ts';

/** Makes the request of this iteration: the frozen prompt, the messages so far, the pinned tools. */
export async function assembleRequest(state: TurnState, _ports: TurnPorts): Promise<Verdict> {
  state.request = {
    system: state.system,
    messages: state.wire.messages,
    tools: state.tools.schemas,
    toolChoice: state.graceGranted ? 'none' : 'auto',
    ...(state.maxOutputTokens === undefined ? {} : { maxOutputTokens: state.maxOutputTokens }),
    signal: state.signal,
  };
  return 'next';
}
