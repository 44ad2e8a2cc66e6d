import { messageOf, ulid } from '@hermes/runtime';
import type { ReadStream, WriteStream } from 'node:tty';
import { BackendLink } from '../backend/backend-link.ts';
import type { BackendConnection } from '../backend/connection.ts';
import { KeyReader } from '../input/key-reader.ts';
import { messagesFor, resolveLanguage } from '../language/messages.ts';
import { loadLexer } from '../markdown/load-lexer.ts';
import { Drawing } from '../screen/drawing.ts';
import { abandonTurn } from '../state/host-events.ts';
import type { Effect, Env } from '../state/message.ts';
import { initialState, isAnimated } from '../state/ui-state.ts';
import { TerminalModes } from '../terminal/terminal-modes.ts';
import { TerminalOutput } from '../terminal/terminal-output.ts';
import { createPaint } from '../text/style.ts';
import { exitSummary } from './exit-summary.ts';
import { installGuards } from './guards.ts';
import type { ShownScreen } from './show-screen.tsx';
import { Store } from './store.ts';
import { withoutFetch } from './without-fetch.ts';

const TICK_MS = 320;
const RESIZE_MS = 32;

export interface TuiOptions {
  /** Starts the backend, or starts it again after it died. */
  connect(): BackendConnection;
  readonly cwd: string;
  /** Session to open: an id, a unique beginning of one, a title, or `latest`. */
  readonly resume?: string;
  /** Sent literally as the first message. */
  readonly initialPrompt?: string;
  readonly version: string;
  readonly profile: string;
  /** A language code such as `en` or `zh`, or `auto` for that of `env`. */
  readonly language: string;
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  /** The environment: `LC_ALL`, `LC_MESSAGES` and `LANG` for `auto`, and `NO_COLOR`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly noColor?: boolean;
  /** `wheel` (default) scrolls with the wheel; `off` leaves the mouse to the terminal. */
  readonly mouse?: 'off' | 'wheel';
}

export interface TuiResult {
  readonly exitCode: number;
  readonly sessionId?: string;
}

/**
 * Runs the full-screen interface until it is left. It draws and reads keys; everything else is the backend's. The terminal is put back
 * in every case; then the tail of the conversation and the way to resume it are printed. Both streams must be terminals.
 *
 * @throws whatever made the interface itself fail, after the terminal was put back.
 *
 * @example
 * const { exitCode } = await runTui({
 *   connect: startBackend, cwd: process.cwd(), version: '1.0.0', profile: 'default', language: 'auto',
 *   stdin: process.stdin, stdout: process.stdout,
 * });
 */
export async function runTui(options: TuiOptions): Promise<TuiResult> {
  return new TuiRun(options).run();
}

/** One run, from the first key read to the last line printed. */
class TuiRun {
  readonly #options: TuiOptions;
  readonly #modes: TerminalModes;
  readonly #keys: KeyReader;
  readonly #drawing: Drawing;
  readonly #output: TerminalOutput;
  readonly #store: Store;
  readonly #link: BackendLink;
  readonly #end = Promise.withResolvers<number>();
  #screen: ShownScreen | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #stopTicking: (() => void) | undefined;
  #resizeTimer: NodeJS.Timeout | undefined;

  constructor(options: TuiOptions) {
    const { stdin, stdout, version, profile, cwd } = options;
    this.#options = options;
    this.#modes = new TerminalModes(stdin, stdout, { wheel: options.mouse !== 'off' });
    this.#keys = new KeyReader(stdin);
    this.#drawing = new Drawing(
      messagesFor(resolveLanguage(options.language, options.env ?? {})),
      createPaint({ color: options.noColor !== true && !options.env?.['NO_COLOR'] }),
    );
    const { columns, rows } = stdout;
    this.#output = new TerminalOutput(stdout, columns, rows);
    const start = { columns, rows, now: Date.now(), version, profile, cwd, resumeRef: options.resume ?? null };
    this.#store = new Store(
      initialState(start),
      () => this.#env(),
      (effect) => this.#perform(effect),
    );
    this.#link = new BackendLink({
      connect: () => options.connect(),
      dispatch: (message) => this.#store.dispatch(message),
      version,
      profile,
    });
  }

  async run(): Promise<TuiResult> {
    const removeGuards = installGuards({
      onSignal: (code) => this.#end.resolve(code),
      onCrash: (error) => this.#end.reject(error instanceof Error ? error : new Error(messageOf(error))),
      onContinue: () => this.#reacquire(),
      onExit: () => this.#modes.release(),
    });
    try {
      this.#modes.acquire();
      const { showScreen } = await withoutFetch(() => import('./show-screen.tsx'));
      this.#screen = showScreen(this.#store, this.#drawing, this.#output);
      this.#screen.failed.catch((error: unknown) => this.#end.reject(error));
      this.#listen();
      return this.#result(await this.#end.promise);
    } finally {
      await this.#leave();
      removeGuards();
    }
  }

  #listen(): void {
    this.#stopTicking = this.#store.subscribe(() => this.#tickWhileAnimated());
    this.#options.stdout.on('resize', this.#onResize);
    this.#keys.listen((events) => {
      if (events.some(({ type }) => type === 'kitty')) this.#modes.useKitty();
      this.#store.dispatch({ type: 'input', events });
    });
    if (this.#options.initialPrompt) this.#store.dispatch({ type: 'prompt', text: this.#options.initialPrompt });
    void this.#link.start();
    void loadLexer().then((lexer) => {
      this.#drawing.useLexer(lexer);
      this.#store.dispatch({ type: 'lexer.loaded' });
    });
  }

  /** Puts the terminal back before anything that may take time, then says what is to be remembered. */
  async #leave(): Promise<void> {
    const { stdin, stdout } = this.#options;
    this.#keys.stop();
    stdout.off('resize', this.#onResize);
    clearTimeout(this.#resizeTimer);
    this.#screen?.close();
    this.#modes.release();
    stdin.unref();
    this.#stopTicking?.();
    clearInterval(this.#ticker);
    this.#store.dispatch({ type: 'tick' });
    stdout.write(exitSummary(abandonTurn(this.#store.get()), this.#drawing));
    await this.#link.close();
  }

  #result(exitCode: number): TuiResult {
    const { session } = this.#store.get();
    return session ? { exitCode, sessionId: session.session_id } : { exitCode };
  }

  #env(): Env {
    return {
      now: Date.now(),
      messages: this.#drawing.messages,
      paint: this.#drawing.paint,
      newId: () => ulid(Date.now()),
      linesOf: (state) => this.#drawing.linesOf(state),
    };
  }

  #perform(effect: Effect): void {
    if (effect.type === 'repaint') this.#screen?.repaint();
    else if (effect.type === 'suspend') this.#suspend();
    else if (effect.type === 'exit') this.#end.resolve(effect.code);
    else this.#link.perform(effect);
  }

  /** Sizes that follow each other quickly, as while a window is dragged, are taken as one. */
  readonly #onResize = (): void => {
    clearTimeout(this.#resizeTimer);
    this.#resizeTimer = setTimeout(() => {
      const { columns, rows } = this.#options.stdout;
      this.#output.columns = columns;
      this.#output.rows = rows;
      this.#store.dispatch({ type: 'resize', columns, rows });
      this.#screen?.repaint();
    }, RESIZE_MS);
  };

  /** Stops the whole process group, as the terminal does for programs that leave Ctrl+Z to it. */
  #suspend(): void {
    if (process.platform === 'win32') return;
    this.#modes.release();
    process.kill(0, 'SIGTSTP');
    // Reached when the program goes on; at once where nobody is there to stop it.
    setImmediate(() => this.#reacquire());
  }

  #reacquire(): void {
    this.#modes.release();
    this.#modes.acquire();
    this.#screen?.repaint();
  }

  /** The clock runs only while something on screen moves. */
  #tickWhileAnimated(): void {
    const animated = isAnimated(this.#store.get());
    if (animated) this.#ticker ??= setInterval(() => this.#store.dispatch({ type: 'tick' }), TICK_MS);
    else {
      clearInterval(this.#ticker);
      this.#ticker = undefined;
    }
  }
}
