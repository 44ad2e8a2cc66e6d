import type { DemoText } from './demo-language.ts';

export const ABOUT_HERMES: DemoText = {
  en: 'Hermes is a personal agent that runs on your own machine: it keeps sessions and memory on disk, works with files and the terminal, and can be reached from a terminal, a script or another program. This answer comes from a script; connect a real model with `hermes model` to talk freely.',
  zh: 'Hermes 是运行在你自己机器上的个人智能体：它把会话和记忆保存在磁盘上，操作文件和终端，并且可以从终端、脚本或其他程序使用。这个回答来自固定脚本；运行 `hermes model` 接入真实模型后即可自由对话。',
};

/** What `explain TOPIC` knows. The first entry whose word occurs in the topic is told. */
export const TOPICS: readonly { readonly words: RegExp; readonly text: DemoText }[] = [
  {
    words: /\bturns?\b|回合/i,
    text: {
      en: 'A turn is one exchange: your message is stored, the model is asked, its tool calls are stored before they run, their results go back to the model, and the answer is stored. If the process is killed in between, nothing runs twice.',
      zh: '一个回合就是一次往来：先保存你的消息，再询问模型；工具调用先保存后执行，结果交回模型，最后保存回答。即使进程中途被终止，也不会有任何操作被执行两次。',
    },
  },
  {
    words: /\btools?\b|工具/i,
    text: {
      en: 'Tools are what a model can do besides talking: run commands, read, write and search files, remember things. Commands that would wreck the machine are refused.',
      zh: '工具是模型除了说话之外能做的事：运行命令，读取、写入和搜索文件，记住事情。会毁掉系统的命令一律拒绝执行。',
    },
  },
  {
    words: /\bmemor|记忆/i,
    text: {
      en: 'Memory is a small set of notes in `memories/` of your Hermes home. It is part of the prompt of every new session, and you can read and edit it like any other file.',
      zh: '记忆是 Hermes 目录下 `memories/` 中的少量笔记。它是每个新会话提示词的一部分，你可以像普通文件一样查看和修改。',
    },
  },
  {
    words: /\bsessions?\b|会话/i,
    text: {
      en: 'A session is one conversation. It is kept in a database on your disk and can be resumed at any time with `hermes --continue`.',
      zh: '会话就是一次对话，保存在你磁盘上的数据库中，随时可以用 `hermes --continue` 继续。',
    },
  },
];
