import type { JsonObject } from '../message/message.ts';
import type { DemoLanguage, DemoText } from './demo-language.ts';
import { ABOUT_HERMES, TOPICS } from './demo-topics.ts';

/** What the demo model does with a sentence it understands. */
export type DemoAction =
  | { readonly kind: 'call'; readonly tool: string; readonly args: JsonObject; readonly saying: string }
  | { readonly kind: 'text'; readonly text: string };

type Groups = Readonly<Record<string, string | undefined>>;

/** One kind of sentence that the demo model understands. */
export interface DemoIntent {
  readonly id: string;
  readonly example: DemoText;
  readonly does: DemoText;
  /** The tool it drives; none for those that only talk. */
  readonly tool?: string;
  /** Tried in order on the trimmed sentence. Groups: `dir`, `file`, `what`, `text`, `cmd`, `fact`, `topic`. */
  readonly patterns: readonly RegExp[];
  readonly act: (groups: Groups, language: DemoLanguage) => DemoAction;
}

/**
 * Everything the demo model understands. The first pattern that matches decides.
 *
 * @example
 * for (const { example, does } of DEMO_INTENTS) console.log(`${example.en}  ${does.en}`);
 */
export const DEMO_INTENTS: readonly DemoIntent[] = [
  {
    id: 'list',
    example: { en: 'list the files in src', zh: '列出 src 的文件' },
    does: { en: 'lists a folder with the terminal', zh: '用终端列出文件夹' },
    tool: 'terminal',
    patterns: [
      /^(?:please )?(?:list|show)(?: me)?(?: all)?(?: the| my)? files(?: here| in (?<dir>.+?))?[.!?]*$/i,
      /^(?:请)?列出\s*(?:当前目录|这里)?\s*(?<dir>.*?)\s*(?:目录|文件夹)?(?:下|里|中)?的?(?:所有)?文件[。！]?$/u,
    ],
    act: ({ dir }, language) => {
      const command = given(dir) === undefined ? 'ls -la' : `ls -la ${quoted(clean(dir))}`;
      return call('terminal', { command }, { en: 'I list the files.', zh: '我来列出文件。' }, language);
    },
  },
  {
    id: 'search',
    example: { en: 'search "TODO" in src', zh: '在 src 中搜索 TODO' },
    does: { en: 'searches file contents', zh: '搜索文件内容' },
    tool: 'search_files',
    patterns: [
      /^(?:please )?(?:search|grep)(?: for)? (?<what>.+?)(?: in (?<dir>\S+?))?[!?]*$/i,
      /^(?:请)?在\s*(?<dir>\S+?)\s*(?:里面|里|中|下)\s*(?:搜索|查找)\s*(?<what>.+?)[。！]?$/u,
      /^(?:请)?(?:搜索|查找)\s*(?<what>.+?)[。！]?$/u,
    ],
    act: ({ what, dir }, language) => {
      const folder = given(dir);
      const args = { pattern: clean(what), ...(folder === undefined ? {} : { path: clean(folder) }) };
      return call('search_files', args, { en: 'I search the files.', zh: '我来搜索文件。' }, language);
    },
  },
  {
    id: 'write',
    example: { en: 'write "hello" to notes.txt', zh: '把“你好”写入 notes.txt' },
    does: { en: 'writes a file', zh: '写入文件' },
    tool: 'write_file',
    patterns: [
      /^(?:please )?write (?<text>"[^"]*"|“[^”]*”|'[^']*'|.+?) (?:to|into) (?:the )?(?:file )?(?<file>\S+?)[.!]?$/is,
      /^(?:please )?create(?: the| a)?(?: file)? (?<file>\S+) with (?:the )?(?:contents?:? |text:? )?(?<text>.+)$/is,
      /^(?:请)?[把将]\s*(?<text>.+?)\s*写(?:入|到|进)\s*(?:文件)?\s*(?<file>[^\s。]+)[。]?$/su,
      /^(?:请)?(?:创建|新建)(?:文件)?\s*(?<file>[^\s，,]+)\s*[，,]?\s*内容(?:为|是)?[：:]?\s*(?<text>.+)$/su,
    ],
    act: ({ file, text }, language) =>
      call(
        'write_file',
        { path: clean(file), content: `${clean(text)}\n` },
        { en: 'I write the file.', zh: '我来写入文件。' },
        language,
      ),
  },
  {
    id: 'run',
    example: { en: 'run git status', zh: '运行 git status' },
    does: { en: 'runs a command in the terminal', zh: '在终端运行命令' },
    tool: 'terminal',
    patterns: [
      /^(?:please )?(?:run|execute)(?: the)?(?: command)?:? (?<cmd>.+)$/is,
      /^(?:请)?(?:运行|执行)(?:命令)?[：:]?\s*(?<cmd>.+?)[。]?$/su,
    ],
    act: ({ cmd }, language) =>
      call('terminal', { command: unticked(cmd) }, { en: 'I run the command.', zh: '我来运行命令。' }, language),
  },
  {
    id: 'recall',
    example: { en: 'what do you remember', zh: '你记得什么' },
    does: { en: 'reads the memory', zh: '查看记忆' },
    tool: 'memory',
    patterns: [/^what do you remember(?: about me)?[.?!]*$/i, /^你(?:都)?(?:还)?记得(?:些)?什么[？?。]?$/u],
    act: (_groups, language) =>
      call('memory', { action: 'read' }, { en: 'I look into my memory.', zh: '我来查看记忆。' }, language),
  },
  {
    id: 'remember',
    example: { en: 'remember that I like tea', zh: '记住我喜欢喝茶' },
    does: { en: 'adds to the memory', zh: '写入记忆' },
    tool: 'memory',
    patterns: [/^(?:please )?remember(?: that)?:? (?<fact>.+)$/is, /^(?:请)?记住[，,：:]?\s*(?<fact>.+)$/su],
    act: ({ fact }, language) => {
      const content = clean(fact);
      const target = /^(?:i|i'm|my|me)\b|^我/iu.test(content) ? 'user' : 'memory';
      return call('memory', { action: 'add', target, content }, { en: 'I note that.', zh: '我记下来。' }, language);
    },
  },
  {
    id: 'read',
    example: { en: 'read README.md', zh: '读取 README.md' },
    does: { en: 'reads a file', zh: '读取文件' },
    tool: 'read_file',
    patterns: [
      /^(?:please )?(?:read|open|show|cat)(?: me)?(?: the)?(?: file)? (?<file>\S+?)[!?]*$/i,
      /^(?:请)?(?:读取|读一下|读|打开|查看)(?:文件)?\s*(?<file>[^\s。！]+)[。！]?$/u,
    ],
    act: ({ file }, language) =>
      call('read_file', { path: clean(file) }, { en: 'I read the file.', zh: '我来读取文件。' }, language),
  },
  {
    id: 'about',
    example: { en: 'what is hermes', zh: '你是谁' },
    does: { en: 'tells what this is', zh: '介绍 Hermes' },
    patterns: [
      /^(?:what is|what's|who is) hermes[.?!]*$/i,
      /^(?:who|what) are you[.?!]*$/i,
      /^(?:你是谁|你是什么|hermes\s*是(?:什么|谁)|什么是\s*hermes)[？?。]?$/iu,
    ],
    act: (_groups, language) => ({ kind: 'text', text: ABOUT_HERMES[language] }),
  },
  {
    id: 'explain',
    example: { en: 'explain turns', zh: '解释回合' },
    does: { en: 'explains a term: turns, tools, memory, sessions', zh: '解释概念：回合、工具、记忆、会话' },
    patterns: [
      /^(?:please )?explain(?: the| what)? (?<topic>.+?)[.?!]*$/i,
      /^(?:请)?(?:解释|说明)(?:一下)?\s*(?<topic>.+?)[。？?]?$/u,
    ],
    act: ({ topic = '' }, language) => {
      const known = TOPICS.find(({ words }) => words.test(topic));
      return { kind: 'text', text: (known?.text ?? CANNOT_EXPLAIN)[language] };
    },
  },
  {
    id: 'help',
    example: { en: 'help', zh: '帮助' },
    does: { en: 'shows this list', zh: '显示本列表' },
    patterns: [
      /^(?:help|\?|hi|hello|hey)[.!]*$/i,
      /^what can you do[.?!]*$/i,
      /^(?:帮助|你好|您好|你能做什么|你会什么)[？?。！!]?$/u,
    ],
    act: (_groups, language) => ({ kind: 'text', text: demoHelp(language) }),
  },
];

const CANNOT_EXPLAIN: DemoText = {
  en: 'I am a script and know only a few terms: turns, tools, memory, sessions. A real model can explain the rest; connect one with `hermes model`.',
  zh: '我是固定脚本，只认识几个概念：回合、工具、记忆、会话。其余的请交给真实模型；运行 `hermes model` 即可接入。',
};

const HELP_HEAD: DemoText = {
  en: 'I am a scripted demo, not an AI. I understand sentences like these:',
  zh: '我是固定脚本的演示模型，不是人工智能。我能听懂这样的句子：',
};

const HELP_FOOT: DemoText = {
  en: 'Several steps can be joined with "then". The tools are real: what they show and change is your own machine.',
  zh: '多个步骤可以用“然后”连接。工具是真实的：它们读取和改动的就是你自己的机器。',
};

/** The list of sentences the demo model understands, as text. */
export function demoHelp(language: DemoLanguage): string {
  const lines = DEMO_INTENTS.map(({ example, does }) => `- ${example[language]} (${does[language]})`);
  return [HELP_HEAD[language], '', ...lines, '', HELP_FOOT[language]].join('\n');
}

/** What to do with a sentence; `undefined` for one that is not understood. */
export function understand(sentence: string, language: DemoLanguage): DemoAction | undefined {
  const text = sentence.trim();
  for (const intent of DEMO_INTENTS) {
    for (const pattern of intent.patterns) {
      const match = pattern.exec(text);
      if (match !== null) return intent.act(match.groups ?? {}, language);
    }
  }
  return undefined;
}

function call(tool: string, args: JsonObject, saying: DemoText, language: DemoLanguage): DemoAction {
  return { kind: 'call', tool, args, saying: saying[language] };
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

/** Without the quotes or backticks around it. */
function clean(text = ''): string {
  return text.trim().replace(/^(["'`“「])(.*)["'`”」]$/su, '$2');
}

/** Quotes are part of a command, backticks around all of it are not. */
function unticked(text = ''): string {
  return text.trim().replace(/^`(.*)`$/s, '$1');
}

function quoted(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
