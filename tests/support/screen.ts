import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { CLI, type Sandbox } from './hermes.ts';

/** The command in a pseudo-terminal with a real screen model behind it. */
export class Screen {
  readonly exited: Promise<number>;
  /** Everything the program wrote, byte for byte. */
  raw = '';
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #pty: IPty;
  readonly #watchers = new Set<() => void>();

  constructor(
    box: Sandbox,
    args: readonly string[],
    size: { readonly cols: number; readonly rows: number } = { cols: 80, rows: 24 },
  ) {
    this.#terminal = new xterm.Terminal({ ...size, allowProposedApi: true, scrollback: 1000 });
    this.#pty = spawn(process.execPath, [CLI, ...args], {
      ...size,
      cwd: box.project,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: box.dir,
        HERMES_HOME: box.home,
        LANG: 'C.UTF-8',
        TERM: 'xterm-256color',
      },
    });
    this.#pty.onData((data) => {
      this.raw += data;
      this.#terminal.write(data, () => {
        for (const look of this.#watchers) look();
      });
    });
    this.#terminal.onData((reply) => this.#pty.write(reply));
    this.exited = new Promise((resolve) => this.#pty.onExit(({ exitCode }) => resolve(exitCode)));
  }

  /** What is on the screen now, a line each. */
  get text(): string {
    const { active } = this.#terminal.buffer;
    const lines = Array.from(
      { length: this.#terminal.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
    );
    return lines.join('\n');
  }

  get inAlternateBuffer(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  resize(cols: number, rows: number): void {
    this.#terminal.resize(cols, rows);
    this.#pty.resize(cols, rows);
  }

  kill(signal: NodeJS.Signals): void {
    this.#pty.kill(signal);
  }

  /** Resolves when the screen shows the text; the test's own time limit ends a wait that is in vain. */
  until(wanted: string | RegExp): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        const shown = typeof wanted === 'string' ? this.text.includes(wanted) : wanted.test(this.text);
        if (!shown) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }
}
