import { expect, test } from 'vitest';
import type { ModelRequest } from '../client/model-client.ts';
import { createModelClient } from '../client/create-model-client.ts';
import type { Message, ToolSchema } from '../message/message.ts';
import { resolveRoute } from '../route/resolve-route.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { partsOf, request, responseOf } from '../testing/test-call.ts';
import { createDemoClient, DEMO_ROUTE } from './demo-client.ts';
import { DEMO_INTENTS, understand } from './demo-intents.ts';
import { languageOf } from './demo-language.ts';

const TOOLS: readonly ToolSchema[] = ['terminal', 'read_file', 'search_files', 'write_file', 'memory'].map((name) => ({
  name,
  description: name,
  parameters: { type: 'object' },
}));

function ask(messages: readonly Message[], rest: Partial<ModelRequest> = {}) {
  return responseOf(createDemoClient(), { tools: TOOLS, messages, ...rest });
}

function says(content: string): Message {
  return { role: 'user', content };
}

/** A conversation in which the demo's calls are answered with these results, until it calls nothing more. */
async function play(sentence: string, results: readonly unknown[]) {
  const messages: Message[] = [says(sentence)];
  for (let round = 0; ; round++) {
    const answer = await ask(messages);
    if (answer.toolCalls.length === 0) return { answer, messages };
    messages.push({ role: 'assistant', content: answer.text, toolCalls: answer.toolCalls });
    for (const { id, name } of answer.toolCalls) {
      messages.push({ role: 'tool', toolCallId: id, toolName: name, content: JSON.stringify(results[round]) });
    }
  }
}

test.each([
  ['list the files', 'terminal', { command: 'ls -la' }],
  ['List files in src.', 'terminal', { command: 'ls -la src' }],
  ["list the files in my 'old' notes", 'terminal', { command: "ls -la 'my '\\''old'\\'' notes'" }],
  ['列出文件', 'terminal', { command: 'ls -la' }],
  ['请列出当前目录的文件', 'terminal', { command: 'ls -la' }],
  ['列出 src 目录下的所有文件。', 'terminal', { command: 'ls -la src' }],
  ['read README.md', 'read_file', { path: 'README.md' }],
  ['show me the file a.txt', 'read_file', { path: 'a.txt' }],
  ['读取 README.md', 'read_file', { path: 'README.md' }],
  ['查看文件 src/index.ts', 'read_file', { path: 'src/index.ts' }],
  ['search for "two words" in src', 'search_files', { pattern: 'two words', path: 'src' }],
  ['search TODO', 'search_files', { pattern: 'TODO' }],
  ['搜索 TODO', 'search_files', { pattern: 'TODO' }],
  ['在 src 中搜索 “待办”', 'search_files', { pattern: '待办', path: 'src' }],
  ['write "hello then bye" to notes.txt', 'write_file', { path: 'notes.txt', content: 'hello then bye\n' }],
  ['create a file a/b.md with content: # Title', 'write_file', { path: 'a/b.md', content: '# Title\n' }],
  ['把“你好”写入 notes.txt', 'write_file', { path: 'notes.txt', content: '你好\n' }],
  ['创建文件 a.txt，内容为 你好', 'write_file', { path: 'a.txt', content: '你好\n' }],
  ['run git log --oneline | head -3', 'terminal', { command: 'git log --oneline | head -3' }],
  ['run `node -e "1"`', 'terminal', { command: 'node -e "1"' }],
  ['运行 git status', 'terminal', { command: 'git status' }],
  ['remember that I like tea', 'memory', { action: 'add', target: 'user', content: 'I like tea' }],
  ['记住，项目用 pnpm', 'memory', { action: 'add', target: 'memory', content: '项目用 pnpm' }],
  ['what do you remember?', 'memory', { action: 'read' }],
  ['你记得什么？', 'memory', { action: 'read' }],
])('"%s" drives %s', async (sentence, tool, args) => {
  const { toolCalls, finish } = await ask([says(sentence)]);
  expect(toolCalls.map((call) => [call.name, JSON.parse(call.argumentsJson)])).toEqual([[tool, args]]);
  expect(finish).toBe('tool_calls');
});

test.each([
  ['what is Hermes?', 'personal agent'],
  ['你是谁？', '个人智能体'],
  ['explain the turn', 'one exchange'],
  ['解释一下回合', '一次往来'],
  ['explain quantum physics', 'know only a few terms'],
  ['help', 'list the files in src'],
  ['你好', '列出 src 的文件'],
  ['make me a sandwich', 'I did not understand that.'],
  ['给我讲个笑话', '我没有听懂。'],
])('"%s" is answered in words and in its language', async (sentence, words) => {
  const { text, toolCalls } = await ask([says(sentence)]);
  expect(text).toContain(words);
  expect(toolCalls).toEqual([]);
});

test('every documented example is understood as what it documents, in both languages', () => {
  for (const { id, example, act, tool } of DEMO_INTENTS) {
    for (const sentence of [example.en, example.zh]) {
      const action = understand(sentence, languageOf(sentence));
      expect(action?.kind === 'call' ? action.tool : undefined, sentence).toBe(tool);
      const matching = DEMO_INTENTS.find(({ patterns }) => patterns.some((pattern) => pattern.test(sentence)));
      expect(matching?.id, sentence).toBe(id);
      expect(act, sentence).toBe(matching?.act);
    }
  }
});

test('the first answer of a session says that it is scripted, later ones do not repeat it', async () => {
  const first = await ask([says('help')]);
  expect(first.text).toMatch(/^\[Demo model: scripted, no AI/);
  expect((await ask([says('帮助')])).text).toMatch(/^【演示模型：固定脚本，不是人工智能/);
  const later = await ask([says('help'), { role: 'assistant', content: first.text }, says('help')]);
  expect(later.text).not.toContain('Demo model');
  expect(first.usage).toBeUndefined();
});

test.each([
  ['run ls', { output: 'a\nb\n', exit_code: 0, error: null }, ['`ls` ended with exit code 0.', '```\na\nb\n```']],
  ['run false', { output: '', exit_code: 1, error: 'refused' }, ['exit code 1', 'refused', 'It printed nothing.']],
  ['运行 ls', { output: 'a', exit_code: 0 }, ['`ls` 已结束，退出码 0。']],
  ['read a.txt', { content: '1|one', total_lines: 1 }, ['a.txt has 1 line.', '1|one']],
  ['read a.txt', { error: 'File not found: a.txt' }, ['read_file reported an error: File not found: a.txt']],
  [
    'search x',
    { matches: [{ path: 'a.ts', line: 3, content: 'x = 1' }], total_count: 1 },
    ['1 match for x', 'a.ts:3:x = 1'],
  ],
  ['search x', { matches: [], total_count: 0 }, ['0 matches for x']],
  ['write hi to a.txt', { success: true, path: '/tmp/a.txt', bytes_written: 3 }, ['Written: /tmp/a.txt, 3 bytes.']],
  ['记住 x', { success: true, message: 'ok' }, ['已记下。 ok']],
  ['what do you remember', { entries: [{ text: 'likes tea' }] }, ['- likes tea']],
])('"%s" is summed up from the real result', async (sentence, result, expected) => {
  const { answer } = await play(sentence, [result]);
  for (const words of expected) expect(answer.text).toContain(words);
  expect(answer.finish).toBe('stop');
});

test('long output is cut to its first lines with a count of the rest, and a result that is no JSON is shown as it is', async () => {
  const output = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
  const { answer } = await play('run seq', [{ output, exit_code: 0 }]);
  expect(answer.text).toContain('line 11\n```\n… and 28 more lines.');
  const call = { id: 'demo_1', name: 'terminal', argumentsJson: '{}' };
  const plain = await ask([
    says('run x'),
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', toolCallId: 'demo_1', toolName: 'terminal', content: 'stopped by the user' },
  ]);
  expect(plain.text).toContain('```\nstopped by the user\n```');
});

test('joined steps are carried out one after the other, each after the result of the one before', async () => {
  const results = [
    { output: 'a.txt', exit_code: 0 },
    { content: '1|hi', total_lines: 1 },
  ];
  const { answer, messages } = await play('list the files, then read a.txt', results);
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  expect(calls.map(({ id, name }) => [id, name])).toEqual([
    ['demo_1', 'terminal'],
    ['demo_2', 'read_file'],
  ]);
  expect(answer.text).toContain('1|hi');
  const chinese = await play('列出文件，然后读取 a.txt', results);
  expect(chinese.messages).toHaveLength(5);
});

test('a tool that the session lacks is named, and calls that are forbidden are not made', async () => {
  expect(await ask([says('read a.txt')], { tools: [] })).toMatchObject({
    text: expect.stringContaining('use the tool read_file, which this session does not have'),
    toolCalls: [],
  });
  const forbidden = await ask([says('read a.txt')], { toolChoice: 'none' });
  expect(forbidden).toMatchObject({ text: expect.stringContaining('No further tool calls'), toolCalls: [] });
});

test('it streams word by word and the same each time, at a pace if one is wanted, until it is stopped', async () => {
  const client = createModelClient(resolveRoute({ provider: 'demo' }, {}, () => undefined));
  expect(client.route).toEqual(DEMO_ROUTE);
  const messages = [says('what is hermes')];
  const parts = await partsOf(client, { messages });
  expect(parts.length).toBeGreaterThan(30);
  expect(await partsOf(client, { messages })).toEqual(parts);

  const clock = new ManualClock();
  const stop = new AbortController();
  const paced = createDemoClient(DEMO_ROUTE, { paceMs: 20, clock });
  const stream = paced.stream(request({ messages, signal: stop.signal }))[Symbol.asyncIterator]();
  await stream.next();
  const next = stream.next();
  clock.advance(20);
  expect(await next).toMatchObject({ value: { type: 'text.delta' } });
  const stopped = stream.next();
  stop.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');
});
