import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';

const LIMIT_MS = 15_000;

interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A program in a real pseudo-terminal, seen through a real terminal emulator. Tests wait for what is on the screen. */
export class TestTerminal {
  /** Everything the program wrote, in order. */
  output = '';
  /** Resolves with the exit code. */
  readonly exited: Promise<number>;
  readonly pid: number;
  readonly #pty: IPty;
  readonly #screen: xterm.Terminal;
  readonly #changes = new Set<() => void>();

  constructor(file: string, args: readonly string[], { columns = 80, rows = 24, env = {} }: TerminalOptions = {}) {
    this.#screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
    this.#pty = spawn(file, [...args], { cols: columns, rows, cwd: '/', env: { TERM: 'xterm-256color', ...env } });
    this.pid = this.#pty.pid;
    this.#pty.onData((data) => {
      this.output += data;
      this.#screen.write(data, () => {
        for (const changed of this.#changes) changed();
      });
    });
    const exit = Promise.withResolvers<number>();
    this.exited = exit.promise;
    // What was written before the end is on the screen before the end is told.
    this.#pty.onExit(({ exitCode, signal }) => {
      this.#screen.write('', () => exit.resolve(signal ? 128 + signal : exitCode));
    });
  }

  /** The visible rows as text. */
  get lines(): string[] {
    const buffer = this.#screen.buffer.active;
    return Array.from(
      { length: this.#screen.rows },
      (_, row) => buffer.getLine(buffer.viewportY + row)?.translateToString(true) ?? '',
    );
  }

  get text(): string {
    return this.lines.join('\n');
  }

  get cursor(): { readonly x: number; readonly y: number } {
    const { cursorX: x, cursorY: y } = this.#screen.buffer.active;
    return { x, y };
  }

  get onAlternateScreen(): boolean {
    return this.#screen.buffer.active.type === 'alternate';
  }

  write(data: string): void {
    this.#pty.write(data);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  kill(signal: string): void {
    this.#pty.kill(signal);
  }

  /** Waits until the screen satisfies a condition, or shows a text. Fails with what is on it. */
  async until(condition: string | ((terminal: TestTerminal) => boolean)): Promise<void> {
    const holds = () => (typeof condition === 'string' ? this.text.includes(condition) : condition(this));
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const finish = (end: () => void) => {
        clearTimeout(timer);
        this.#changes.delete(check);
        end();
      };
      const check = () => {
        if (holds()) finish(resolve);
      };
      const timer = setTimeout(
        () => finish(() => reject(new Error(`The screen never had it: ${String(condition)}\n${this.text}`))),
        LIMIT_MS,
      );
      this.#changes.add(check);
      void this.exited.then(() => {
        if (holds()) finish(resolve);
        else finish(() => reject(new Error(`The program ended before: ${String(condition)}\n${this.text}`)));
      });
    });
  }

  /** Ends the program if it still runs. */
  dispose(): void {
    try {
      this.#pty.kill('SIGKILL');
    } catch {
      // It has ended already.
    }
    this.#screen.dispose();
  }
}
