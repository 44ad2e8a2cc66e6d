import type { AnswerStep, ScriptedCall, WireUsage } from './step.ts';

/** What an answer is made of besides its step. */
export interface AnswerContext {
  readonly id: string;
  readonly model: string;
  /** Absent when the step or the request wants none. */
  readonly usage?: WireUsage;
}

type Delta = Readonly<Record<string, unknown>>;

/** The events of a streamed answer, each as the JSON text that follows `data: `. The last one is `[DONE]`. */
export function answerFrames(step: AnswerStep, context: AnswerContext): readonly string[] {
  const frame = (choices: readonly unknown[], rest: object = {}) =>
    JSON.stringify({
      id: context.id,
      object: 'chat.completion.chunk',
      created: 0,
      model: context.model,
      choices,
      ...rest,
    });
  const choice = (delta: Delta, finish: string | null = null) => frame([{ index: 0, delta, finish_reason: finish }]);
  const finish = finishOf(step);
  return [
    choice({ role: 'assistant', content: '' }),
    ...deltas(step).map((delta) => choice(delta)),
    ...(finish === null ? [] : [choice({}, finish)]),
    ...(context.usage === undefined ? [] : [frame([], { usage: context.usage })]),
    '[DONE]',
  ];
}

/** The body of an answer that was not asked to be streamed. */
export function answerBody(step: AnswerStep, context: AnswerContext): string {
  const calls = step.toolCalls?.map((call) => wireCall(call, call.arguments));
  return JSON.stringify({
    id: context.id,
    object: 'chat.completion',
    created: 0,
    model: context.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: step.text ?? null,
          ...(step.reasoning === undefined ? {} : { reasoning_content: step.reasoning }),
          ...(calls === undefined ? {} : { tool_calls: calls }),
        },
        finish_reason: finishOf(step),
      },
    ],
    ...(context.usage === undefined ? {} : { usage: context.usage }),
  });
}

function finishOf(step: AnswerStep): string | null {
  if (step.finish !== undefined) return step.finish;
  return (step.toolCalls?.length ?? 0) > 0 ? 'tool_calls' : 'stop';
}

function deltas(step: AnswerStep): readonly Delta[] {
  const size = step.chunkSize;
  return [
    ...pieces(step.reasoning ?? '', size).map((piece) => ({ reasoning_content: piece })),
    ...pieces(step.text ?? '', size).map((piece) => ({ content: piece })),
    ...(step.toolCalls ?? []).flatMap((call, index) => callDeltas(call, index, size)),
  ];
}

function callDeltas(call: ScriptedCall, index: number, size: number | undefined): readonly Delta[] {
  const [first = '', ...rest] = size === undefined ? [call.arguments] : ['', ...pieces(call.arguments, size)];
  return [
    { tool_calls: [{ index, ...wireCall(call, first) }] },
    ...rest.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

function wireCall(call: ScriptedCall, args: string): Delta {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: args }, ...call.extra };
}

function pieces(text: string, size = text.length): readonly string[] {
  const characters = Array.from(text);
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += size) parts.push(characters.slice(at, at + size).join(''));
  return parts;
}
