import { type Clock, systemClock } from '@hermes/runtime';
import type { ModelClient, ModelRequest, ModelResponse, StreamPart } from '../client/model-client.ts';
import type { AssistantMessage, Message, ToolCall, UserMessage } from '../message/message.ts';
import { type ConfiguredRoute, DEFAULT_CONTEXT_WINDOW, type Route } from '../route/route.ts';
import { type DemoAction, demoHelp, understand } from './demo-intents.ts';
import { type DemoLanguage, type DemoText, languageOf } from './demo-language.ts';
import { type DemoResult, summaryOf } from './demo-summary.ts';

/** Where the demo model is. `resolveRoute({ provider: 'demo' }, …)` gives the same. */
export const DEMO_ROUTE: ConfiguredRoute = {
  provider: 'demo',
  model: 'scripted',
  apiMode: 'demo',
  baseUrl: 'demo:',
  contextWindow: DEFAULT_CONTEXT_WINDOW,
  contextWindowAssumed: false,
};

export interface DemoOptions {
  /** Wait between two pieces of text, in milliseconds, so that a person can watch. Default: none. */
  readonly paceMs?: number;
  readonly clock?: Clock;
}

/**
 * A model that is none: a script that reads the conversation, drives the real tools by a table of sentences, and tells
 * what they answered. It needs no key and no network, always gives the same answer to the same request, says in the first
 * answer of a session what it is, and reports no usage.
 *
 * @example
 * const client = createDemoClient();
 * client.stream({ system: '', messages: [{ role: 'user', content: 'list the files' }], tools, signal });
 */
export function createDemoClient(route: Route = DEMO_ROUTE, options: DemoOptions = {}): ModelClient {
  return { route, stream: (request) => play(request, options) };
}

async function* play(
  request: ModelRequest,
  { paceMs = 0, clock = systemClock }: DemoOptions,
): AsyncGenerator<StreamPart> {
  const response = answer(request);
  for (const text of pieces(response.text)) {
    request.signal.throwIfAborted();
    yield { type: 'text.delta', text };
    if (paceMs > 0) await clock.sleep(paceMs, request.signal);
  }
  request.signal.throwIfAborted();
  for (const [index, { name, argumentsJson }] of response.toolCalls.entries()) {
    yield { type: 'tool.generating', index, name, bytes: Buffer.byteLength(argumentsJson) };
  }
  yield { type: 'response', response };
}

function answer(request: ModelRequest): ModelResponse {
  const start = request.messages.findLastIndex((message) => message.role === 'user');
  const asked = request.messages[start];
  const sentence = asked?.role === 'user' ? textOf(asked) : '';
  const language = languageOf(sentence);
  const results = resultsIn(request.messages.slice(start + 1));
  const steps = stepsOf(sentence);
  const told = results.slice(-1).map((result) => summaryOf(result, language));
  const step = steps[results.length];
  const answer = step === undefined ? response(told, []) : take(understand(step, language), request, told, language);
  return isFirstAnswer(answer, request) ? { ...answer, text: `${LABEL[language]}\n\n${answer.text}` } : answer;
}

/** The first answer of a session says what gives it; words beside tool calls are not an answer. */
function isFirstAnswer(answer: ModelResponse, request: ModelRequest): boolean {
  const answered = request.messages.some((message) => message.role === 'assistant' && callsOf(message).length === 0);
  return answer.toolCalls.length === 0 && !answered;
}

/** Carries out one step, or says why it cannot be. */
function take(
  action: DemoAction | undefined,
  request: ModelRequest,
  told: readonly string[],
  language: DemoLanguage,
): ModelResponse {
  if (action === undefined) return response([...told, NOT_UNDERSTOOD[language], demoHelp(language)], []);
  if (action.kind === 'text') return response([...told, action.text], []);
  if (request.toolChoice === 'none') return response([...told, NO_MORE_CALLS[language]], []);
  if (!request.tools.some(({ name }) => name === action.tool)) {
    return response([...told, NO_TOOL[language].replace('{tool}', action.tool)], []);
  }
  const made = request.messages.reduce((sum, message) => sum + callsOf(message).length, 0);
  const call = { id: `demo_${made + 1}`, name: action.tool, argumentsJson: JSON.stringify(action.args) };
  return response([...told, action.saying], [call]);
}

function response(paragraphs: readonly string[], toolCalls: readonly ToolCall[]): ModelResponse {
  return {
    text: paragraphs.join('\n\n'),
    reasoning: '',
    toolCalls,
    finish: toolCalls.length > 0 ? 'tool_calls' : 'stop',
    servedModel: DEMO_ROUTE.model,
  };
}

/** The calls of this turn that have a result, in order. */
function resultsIn(messages: readonly Message[]): DemoResult[] {
  const calls = new Map(messages.flatMap(callsOf).map((call) => [call.id, call]));
  return messages.flatMap((message) => {
    const call = message.role === 'tool' ? calls.get(message.toolCallId) : undefined;
    return message.role === 'tool' && call !== undefined ? [{ call, result: message }] : [];
  });
}

function callsOf(message: Message): readonly ToolCall[] {
  return message.role === 'assistant' ? ((message satisfies AssistantMessage).toolCalls ?? []) : [];
}

function textOf({ content }: UserMessage): string {
  if (typeof content === 'string') return content.trim();
  return content
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .trim();
}

/** `list the files, then read a.txt` is two steps; a "then" inside quotes is not a joint. */
function stepsOf(sentence: string): readonly string[] {
  return sentence.split(
    /(?:[,;.]?\s+(?:and\s+)?then\s+|\s*[，；。,;]?\s*然后\s*)(?=(?:[^"“”]*["“][^"”]*["”])*[^"“”]*$)/i,
  );
}

/** Words, and Chinese two characters at a time. */
function pieces(text: string): readonly string[] {
  return text.match(/\p{Script=Han}{1,2}|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? [];
}

const LABEL: DemoText = {
  en: '[Demo model: scripted, no AI. The tools and their results are real.]',
  zh: '【演示模型：固定脚本，不是人工智能。工具及其结果是真实的。】',
};
const NOT_UNDERSTOOD: DemoText = { en: 'I did not understand that.', zh: '我没有听懂。' };
const NO_MORE_CALLS: DemoText = {
  en: 'No further tool calls are allowed in this turn, so I stop here.',
  zh: '本回合不允许再调用工具，我到此为止。',
};
const NO_TOOL: DemoText = {
  en: 'For that I would use the tool {tool}, which this session does not have.',
  zh: '这需要工具 {tool}，而本会话没有它。',
};
