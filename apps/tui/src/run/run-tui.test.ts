import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { lineTransport } from '@hermes/host/rpc';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildFixture } from '../testing/build-fixture.ts';
import { type Handlers, HostDouble, session } from '../testing/host-double.ts';
import { TestTerminal } from '../testing/test-terminal.ts';

let folder = '';
let program = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-tui-'));
  program = await buildFixture(folder);
}, 60_000);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface RunOptions {
  readonly args?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly handlers?: Handlers;
}

let runs = 0;
const open: Run[] = [];
afterEach(async () => {
  for (const run of open.splice(0)) await run.dispose();
});

/** The interface in a terminal, and the backends it connects to, in order. */
class Run {
  readonly terminal: TestTerminal;
  readonly hosts: HostDouble[] = [];
  readonly #server: Server;
  readonly #sockets: Socket[] = [];
  #arrived = Promise.withResolvers<void>();

  constructor(socket: string, { args = [], handlers = {}, ...terminal }: RunOptions) {
    this.#server = createServer((connection) => {
      connection.on('error', () => undefined);
      this.#sockets.push(connection);
      this.hosts.push(new HostDouble(lineTransport(connection, connection), handlers));
      this.#arrived.resolve();
      this.#arrived = Promise.withResolvers();
    });
    this.#server.listen(socket);
    this.terminal = new TestTerminal(process.execPath, [program, '--socket', socket, ...args], terminal);
  }

  /** The `nth` backend (from 1); waits for it. */
  async host(nth = 1): Promise<HostDouble> {
    while (this.hosts.length < nth) await this.#arrived.promise;
    const host = this.hosts[nth - 1];
    if (!host) throw new Error('unreachable');
    return host;
  }

  /** The newest backend dies without a word. */
  killBackend(): void {
    this.#sockets.at(-1)?.destroy();
  }

  async dispose(): Promise<void> {
    this.terminal.dispose();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function start(options: RunOptions = {}): Run {
  const run = new Run(join(folder, `${++runs}.sock`), options);
  open.push(run);
  return run;
}

/** A run whose backend is ready, with a turn begun by `hello`. */
async function turn(options: RunOptions = {}): Promise<{ run: Run; terminal: TestTerminal; host: HostDouble }> {
  const run = start({ args: ['--prompt', 'hello'], ...options });
  const host = await run.host();
  await run.terminal.until('thinking 0:0');
  return { run, terminal: run.terminal, host };
}

const CLEARS = /\u001b\[[23]J/;

describe('the start', () => {
  test('draws before the backend answers, keeps what is typed meanwhile, and sends an early Enter when it is ready', async () => {
    const gate = Promise.withResolvers<void>();
    const commands = async () => {
      await gate.promise;
      return { commands: [] };
    };
    const { terminal, host: waitForHost } = hold(start({ handlers: { 'commands.catalog': commands } }));
    terminal.write('early words');
    await terminal.until('❯ early words');
    expect(terminal.text).toContain('starting');
    terminal.write('\r');
    await terminal.until('waiting early words');
    gate.resolve();
    const host = await waitForHost();
    expect(await host.received('prompt.submit')).toMatchObject({ text: 'early words' });
    await terminal.until('❯ early words');
  });

  test('keys typed before the program reads at all are not lost', async () => {
    const { terminal, host } = hold(start());
    terminal.write('one two');
    await terminal.until('❯ one two');
    terminal.write('\r');
    expect(await (await host()).received('prompt.submit')).toMatchObject({ text: 'one two' });
  });

  test('draws where a variable named CI exists', async () => {
    const { terminal } = start({ env: { CI: '' } });
    await terminal.until('ready');
  });

  test('opens a session with its history and follows its end', async () => {
    const blocks = [
      { kind: 'user' as const, row_id: 1, text: 'earlier question', at: 0 },
      { kind: 'assistant' as const, row_id: 2, text: 'earlier **answer**', reasoning: '', at: 0 },
    ];
    const { terminal } = start({
      args: ['--resume', 's-42'],
      handlers: { 'session.history': () => ({ blocks, has_more: false }) },
    });
    await terminal.until('earlier answer');
    expect(terminal.text).toContain('❯ earlier question');
  });

  test('without a model offers one, and sends what was kept once it is chosen', async () => {
    const option = {
      provider: 'ollama',
      model: 'qwen3',
      base_url: 'http://127.0.0.1:1/v1',
      origin: 'local' as const,
      current: false,
    };
    const { terminal, host } = hold(
      start({
        args: ['--language', 'zh'],
        handlers: {
          hello: () => ({
            protocol: 1,
            version: '1.0.0',
            profile: 'default',
            home: '/home/user/.hermes',
            route: null,
            route_problem: 'No provider is configured.',
            config_warnings: [],
            busy_input: 'steer',
            show_reasoning: true,
          }),
          'model.options': () => ({ options: [option] }),
        },
      }),
    );
    await terminal.until('1 qwen3');
    expect(terminal.text).toContain('未配置模型服务');
    terminal.write('你好');
    await terminal.until('❯ 你好');
    terminal.write('\r');
    await terminal.until('选定模型后发送');
    terminal.write('1');
    const backend = await host();
    expect(await backend.received('setup.select_model')).toMatchObject({ model: 'qwen3', persist: true });
    expect(await backend.received('prompt.submit')).toMatchObject({ text: '你好' });
  });
});

describe('a stream', () => {
  test('of 5,000 pieces never clears the screen, never blanks a row, and every frame is synchronized', async () => {
    const { terminal, host } = await turn();
    const blanked: string[] = [];
    let previous: string[] = [];
    const watch = terminal.until((now) => {
      const rows = now.lines.slice(0, 19);
      // Rows move up while the view follows the end; that all of them are empty would be a cleared screen.
      if (rows.every((row) => row === '') && previous.some((row) => row !== '')) blanked.push(previous.join('\n'));
      previous = rows;
      return now.text.includes('word 4999');
    });
    for (let index = 0; index < 5000; index++) {
      host.delta(`word ${index} `);
      if (index % 40 === 39) host.delta('\n\n');
      if (index % 100 === 99) await terminal.until(`word ${index}`);
    }
    await watch;
    host.complete('');
    await terminal.until('ready');
    expect(blanked).toEqual([]);
    expect(terminal.output).not.toMatch(CLEARS);
    const begins = terminal.output.split('\u001b[?2026h').length;
    expect(terminal.output.split('\u001b[?2026l').length).toBe(begins);
    const outside = terminal.output.replaceAll(/\u001b\[\?2026h[\s\S]*?\u001b\[\?2026l/g, '');
    expect(outside).not.toMatch(/word/);
  });

  test('ends on the same screen as the same answer drawn at once', async () => {
    const text = '# Plan\n\n- one\n  - two\n\n```sh\nls\n```\n\n| a | 名称 |\n|---|---|\n| 1 | 数据 |\n\nEnd **bold**.';
    const streamed = await turn();
    for (const letter of text) streamed.host.delta(letter);
    streamed.host.complete(text);
    const whole = await turn();
    whole.host.complete(text);
    for (const { terminal } of [streamed, whole])
      await terminal.until((now) => now.text.includes('3.4 s') && now.text.includes('ready'));
    expect(streamed.terminal.lines.slice(0, 19)).toEqual(whole.terminal.lines.slice(0, 19));
  });

  test('does not move a view that was scrolled up; a chip counts, End returns', async () => {
    const { terminal, host } = await turn();
    for (let index = 0; index < 60; index++) host.delta(`row ${index}\n\n`);
    await terminal.until('row 59');
    for (let count = 0; count < 30; count++) terminal.write('\u001b[1;2A');
    await terminal.until('row 36');
    await terminal.until((now) => !now.text.includes('row 46'));
    const [top] = terminal.lines;
    for (let index = 60; index < 160; index++) {
      host.delta(`row ${index}\n\n`);
      if (index % 20 === 0) await terminal.until(`▼ ${(index - 59) * 2} new lines`);
    }
    await terminal.until('▼ 200 new lines');
    expect(terminal.lines[0]).toBe(top);
    terminal.write('\u001b[F');
    await terminal.until('row 159');
    expect(terminal.text).not.toContain('▼');
  });

  test('writes little for a key, and clears nothing, with 2,000 blocks', async () => {
    const blocks = Array.from({ length: 2000 }, (_, index) => ({
      kind: 'assistant' as const,
      row_id: index + 1,
      text: `Answer **${index}** with a few words.`,
      reasoning: '',
      at: 0,
    }));
    const { terminal } = start({
      args: ['--resume', 's-1'],
      handlers: { 'session.history': () => ({ blocks, has_more: false }) },
    });
    await terminal.until('Answer 1999');
    const before = terminal.output.length;
    terminal.write('x');
    await terminal.until('❯ x');
    expect(terminal.output.length - before).toBeLessThan(400);
    expect(terminal.output).not.toMatch(CLEARS);
  });
});

describe('the composer', () => {
  test('keeps the cursor of the terminal at the display width of the text; Backspace takes one grapheme', async () => {
    const { terminal } = start();
    await terminal.until('ready');
    for (const commit of ['你好', '，', '世界', '👨‍👩‍👧']) terminal.write(commit);
    await terminal.until((now) => now.text.includes('世界') && now.cursor.x === 2 + 12);
    terminal.write('\u007f');
    await terminal.until((now) => now.cursor.x === 2 + 10);
    expect(terminal.text).toContain('❯ 你好，世界\n');
  });

  test('takes a bracketed paste of 200 lines as one chip and sends it without its escapes', async () => {
    const { terminal, host } = hold(start());
    await terminal.until('ready');
    const lines = Array.from({ length: 200 }, (_, row) => `pasted \u001b[31m${row}\u001b[0m`);
    terminal.write(`\u001b[200~${lines.join('\r')}\u001b[201~`);
    await terminal.until('[paste 1 · 200 lines');
    const backend = await host();
    expect(backend.count('prompt.submit')).toBe(0);
    terminal.write(' go');
    await terminal.until('go');
    await quietTime();
    terminal.write('\r');
    const text = Array.from({ length: 200 }, (_, row) => `pasted ${row}`).join('\n');
    expect(await backend.received('prompt.submit')).toMatchObject({ text: `${text} go` });
  });

  test('takes a burst of 40 lines without brackets as text until a lone Enter', async () => {
    const { terminal, host } = hold(start());
    await terminal.until('ready');
    const lines = Array.from({ length: 40 }, (_, row) => `burst ${row}`);
    terminal.write(`${lines.join('\r')}\r`);
    await terminal.until('burst 39');
    await quietTime();
    const backend = await host();
    expect(backend.count('prompt.submit')).toBe(0);
    terminal.write('\r');
    expect(await backend.received('prompt.submit')).toMatchObject({ text: lines.join('\n') });
  });

  test('a program that types a line and Enter in one go is understood', async () => {
    const { terminal, host } = hold(start());
    await terminal.until('ready');
    terminal.write('do it\r');
    expect(await (await host()).received('prompt.submit')).toMatchObject({ text: 'do it' });
  });

  test('never gets what the terminal says, cut at every byte', async () => {
    const { terminal } = start();
    await terminal.until('ready');
    const reports =
      '\u001b[<35;10;5M\u001b[I\u001b]11;rgb:0000/0000/0000\u001b\\\u001b[?2026;2$y\u001b[O\u001bP1$r0m\u001b\\';
    for (const byte of reports) terminal.write(byte);
    terminal.write('!');
    await terminal.until('❯ !');
  });
});

describe('keys', () => {
  test('Esc Esc interrupts and keeps the draft; the partial answer is marked', async () => {
    const { terminal, host } = await turn();
    host.delta('half an answer');
    await terminal.until('half an answer');
    terminal.write('my draft');
    await terminal.until('❯ my draft');
    terminal.write('\u001b');
    await terminal.until('Press Esc again');
    terminal.write('\u001b');
    await terminal.until('stopping…');
    expect(await host.received('session.interrupt')).toEqual({ session_id: 'session-1' });
    host.complete('', { status: 'interrupted', explanation: 'Interrupted.' });
    await terminal.until('⊘ interrupted');
    expect(terminal.text).toContain('❯ my draft');
  });

  test('Shift+Enter is a new line where the terminal can tell it apart', async () => {
    const { terminal } = start();
    await terminal.until('ready');
    expect(terminal.output).toContain('\u001b[?u');
    terminal.write('\u001b[?0u');
    await terminal.until((now) => now.output.includes('\u001b[>1u'));
    terminal.write('one\u001b[13;2utwo');
    await terminal.until('❯ one\n  two');
  });

  test('the session list opens a session', async () => {
    const sessions = [session('s-1', { title: 'Fix the parser' }), session('s-2', { title: 'Write docs' })];
    const { terminal, host } = hold(start({ handlers: { 'session.list': () => ({ sessions }) } }));
    await terminal.until('ready');
    terminal.write('/sessions');
    await terminal.until('saved sessions');
    terminal.write('\r');
    await terminal.until('Write docs');
    terminal.write('docs');
    await terminal.until((now) => !now.text.includes('Fix the parser'));
    terminal.write('\r');
    expect(await (await host()).received('session.resume')).toEqual({ ref: 's-2' });
  });
});

describe('a resize', () => {
  test('narrower and back keeps the block that was read, and leaves nothing of the old frame', async () => {
    const { terminal, host } = await turn({ columns: 120 });
    for (let index = 0; index < 40; index++) host.delta(`paragraph ${index} ${'word '.repeat(30)}\n\n`);
    host.complete('');
    await terminal.until('paragraph 39');
    terminal.write('\u001b[5~\u001b[5~\u001b[5~');
    await terminal.until((now) => now.text.includes('▼') && !now.text.includes('paragraph 35'));
    const before = terminal.lines;
    terminal.resize(60, 24);
    await terminal.until((now) => now.lines[20]?.length === 60 && now.text.includes('ready'));
    const name = /paragraph \d+/.exec(before.join('\n'))?.[0] ?? '';
    expect(terminal.text).toContain(name);
    for (const line of terminal.lines) expect(line.length).toBeLessThanOrEqual(60);
    terminal.resize(120, 24);
    await terminal.until((now) => now.lines[20]?.length === 120);
    expect(terminal.lines).toEqual(before);
    expect(terminal.output).not.toMatch(CLEARS);
  });

  test('below the smallest size asks for room and comes back with what was typed', async () => {
    const { terminal } = start();
    await terminal.until('ready');
    terminal.resize(28, 7);
    await terminal.until('This terminal is 28×7');
    terminal.write('kept');
    terminal.resize(50, 12);
    await terminal.until('❯ kept');
  });
});

describe('a backend that dies', () => {
  test('in the middle of a stream is started again with the same session; the draft stays', async () => {
    const { run, terminal, host } = await turn();
    host.delta('half an answer');
    terminal.write('my draft');
    await terminal.until((now) => now.text.includes('half an answer') && now.text.includes('my draft'));
    run.killBackend();
    const second = await run.host(2);
    expect(await second.received('session.resume')).toEqual({ ref: 'session-1' });
    await terminal.until('the session is open again');
    expect(terminal.text).toContain('⊘ interrupted');
    expect(terminal.text).toContain('❯ my draft');
    terminal.write('\r');
    expect(await second.received('prompt.submit')).toMatchObject({ text: 'my draft', session_id: 'session-1' });
  });

  test('four times within a minute is given up, with the reason, and the screen can still be left', async () => {
    const run = start();
    for (let nth = 1; nth <= 4; nth++) {
      await (await run.host(nth)).received('commands.catalog');
      run.killBackend();
    }
    await run.terminal.until('stopped four times within a minute (exit 1)');
    expect(run.hosts).toHaveLength(4);
    run.terminal.write('\u0004');
    expect(await run.terminal.exited).toBe(0);
  });

  test('and prints noise is told about once and goes on', async () => {
    const { terminal, host } = hold(start());
    await terminal.until('ready');
    const backend = await host();
    backend.noise('a stray print');
    backend.noise('another');
    await terminal.until('not part of the protocol');
    terminal.write('hi');
    await terminal.until('❯ hi');
    expect(terminal.text.split('not part of the protocol')).toHaveLength(2);
  });
});

describe('the end', () => {
  test('leaves the terminal clean, prints the tail and the way back', async () => {
    const { terminal, host } = await turn({ args: ['--prompt', 'hello', '--profile', 'work'] });
    host.emit('session.title', { title: 'Greeting' });
    host.complete('Good day.');
    await terminal.until('Greeting');
    terminal.write('\u0004');
    expect(await terminal.exited).toBe(0);
    expect(terminal.onAlternateScreen).toBe(false);
    expect(terminal.text).toContain('❯ hello');
    expect(terminal.text).toContain('Good day.');
    expect(terminal.text).toContain('Greeting');
    expect(terminal.text).toContain('1 prompt, 0 tool calls');
    expect(terminal.text).toContain('hermes -p work --resume session-1');
    for (const mode of ['1000', '1006', '2004', '1049']) {
      expect(terminal.output.lastIndexOf(`\u001b[?${mode}l`)).toBeGreaterThan(
        terminal.output.lastIndexOf(`\u001b[?${mode}h`),
      );
    }
    expect(terminal.output.lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminal.output.lastIndexOf('\u001b[?25l'));
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('by %s leaves the terminal clean too', async (signal, code) => {
    const { terminal } = start();
    await terminal.until('ready');
    terminal.kill(signal);
    expect(await terminal.exited).toBe(code);
    expect(terminal.onAlternateScreen).toBe(false);
    expect(terminal.output.lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminal.output.lastIndexOf('\u001b[?25l'));
  });

  test('by an error of its own leaves the terminal clean, and says what it was and what was not sent', async () => {
    const { terminal } = start();
    await terminal.until('ready');
    terminal.write('my draft');
    await terminal.until('❯ my draft');
    terminal.kill('SIGUSR2');
    expect(await terminal.exited).toBe(1);
    expect(terminal.onAlternateScreen).toBe(false);
    expect(terminal.text).toContain('a planted error');
    expect(terminal.text).toContain('Not sent:\nmy draft');
  });

  test('by Ctrl+C twice while a turn runs is 130', async () => {
    const { terminal } = await turn();
    terminal.write('\u0003');
    await terminal.until('stopping…');
    terminal.write('\u0003');
    expect(await terminal.exited).toBe(130);
  });
});

/** The parts a test uses, with the wait for the first backend as a function. */
function hold(run: Run): { terminal: TestTerminal; host: () => Promise<HostDouble> } {
  return { terminal: run.terminal, host: () => run.host() };
}

/** The rule is about time: only an Enter that comes this long after the last of a paste was pressed by a person. */
function quietTime(): Promise<void> {
  return setTimeout(200);
}
