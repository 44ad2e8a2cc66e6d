import { FAULTS, type FaultName } from './faults.ts';
import { type ChatBody, callsStep, type ScriptedCall, type Step, textStep } from './step.ts';

export interface RoundsOptions {
  /** Tool rounds before the final text. */
  readonly rounds: number;
  /** Default `terminal` with the command `true`. */
  readonly tool?: string;
  readonly arguments?: string;
}

/**
 * A script of `rounds` tool calls and then a text. What it answers depends on the request alone, so retries and several
 * turns or sessions on one server all get what they should; a request without tools gets a short text.
 */
export function roundsScript(options: RoundsOptions): (index: number, body: ChatBody) => Step {
  return (_index, body) => {
    if ((body.tools?.length ?? 0) === 0) return textStep('ok');
    const done = roundsOfTurn(body);
    return done < options.rounds ? callsStep(nextCall(options, body)) : textStep(`Done after ${done} rounds.`);
  };
}

/** The rounds script with one fault, which strikes `times` times, in place of the answer to the second round. */
export function faultScript(fault: FaultName, options: RoundsOptions & { readonly times?: number }) {
  const rounds = roundsScript(options);
  let left = options.times ?? 1;
  return (index: number, body: ChatBody): Step => {
    if (roundsOfTurn(body) !== 1 || left === 0) return rounds(index, body);
    left--;
    return fault === 'malformedArguments' ? FAULTS.malformedArguments(nextCall(options, body)) : FAULTS[fault]();
  };
}

/** To every request one long answer of `tokens` short words, a word a chunk. */
export function answerScript(tokens: number): () => Step {
  const word = 'word ';
  const step = textStep(word.repeat(tokens), { chunkSize: word.length });
  return () => step;
}

function nextCall(options: RoundsOptions, body: ChatBody): ScriptedCall {
  const made = body.messages.flatMap((message) => message.tool_calls ?? []).length;
  return {
    id: `call_${made + 1}`,
    name: options.tool ?? 'terminal',
    arguments: options.arguments ?? '{"command":"true"}',
  };
}

function roundsOfTurn(body: ChatBody): number {
  const start = body.messages.findLastIndex((message) => message.role === 'user');
  return body.messages.slice(start).filter((message) => message.tool_calls !== undefined).length;
}
