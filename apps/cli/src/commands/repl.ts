import { createInterface, type Interface } from 'node:readline';
import type { Host } from '@hermes/host';
import { AbortReason, ExitCode, messageOf, stripControlSequences, ulid } from '@hermes/runtime';
import type { Session, TurnEvent } from '@hermes/turn-engine';
import { writeBreadcrumb } from '../terminal/breadcrumb.ts';
import type { CallContext } from '../program/call-context.ts';

/** A second Ctrl-C within this time leaves. */
const EXIT_ARM_MS = 2000;

/** Earlier rows shown when a session is continued. */
const RECAP_ROWS = 20;

/** The line interface: a prompt, streamed answers, a line for each tool. For terminals where the full screen does not fit. */
export async function repl(
  host: Host,
  context: CallContext,
  resume: string | undefined,
  query: string | undefined,
): Promise<number> {
  const session =
    resume === undefined ? await host.createSession('cli', context.cwd) : await host.resumeSession(resume);
  await writeBreadcrumb(context, session.id);
  const loop = new Repl(host, session);
  await loop.greet(resume !== undefined);
  return loop.run(query);
}

class Repl {
  readonly #host: Host;
  readonly #session: Session;
  readonly #terminal: Interface;
  /** Lines that ended in a backslash, waiting for the rest. */
  #pending: string[] = [];
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #left = false;

  constructor(host: Host, session: Session) {
    this.#host = host;
    this.#session = session;
    this.#terminal = createInterface({
      input: process.stdin,
      output: process.stdout,
      prompt: `${host.scope.profile} ❯ `,
    });
  }

  async greet(resumed: boolean): Promise<void> {
    const { state } = this.#host.model;
    const route = state.ok
      ? `${state.route.provider}/${state.route.model}${state.route.apiMode === 'demo' ? ' (scripted, no AI)' : ''}`
      : 'no provider';
    this.#say(`Hermes · ${route} · /help for commands, /quit to leave`);
    if (!state.ok) this.#say([state.error.message, ...state.error.hints.map((hint) => `  ${hint}`)].join('\n'));
    for (const warning of this.#host.settings.warnings) this.#say(warning.message);
    if (!resumed) return;
    for (const row of await this.#host.store.visibleRows(this.#session.id, { limit: RECAP_ROWS })) {
      if (row.role !== 'tool' && row.content !== '') this.#say(`${row.role === 'user' ? '❯' : ' '} ${row.content}`);
    }
  }

  /** Reads lines until the user leaves. */
  async run(query: string | undefined): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#session.onEvent((event) => this.#show(event));
    this.#terminal.on('SIGINT', () => this.#onInterrupt(resolve));
    this.#terminal.on('close', () => {
      this.#left = true;
      resolve(ExitCode.ok);
    });
    this.#terminal.on('line', (line) => {
      this.#onLine(line, resolve).catch((error: unknown) => {
        this.#say(messageOf(error));
        this.#prompt();
      });
    });
    if (query !== undefined) await this.#submit(query);
    this.#prompt();
    const exitCode = await promise;
    this.#left = true;
    this.#terminal.close();
    return exitCode;
  }

  async #onLine(line: string, leave: (exitCode: number) => void): Promise<void> {
    if (line.endsWith('\\')) {
      this.#pending.push(line.slice(0, -1));
      return;
    }
    const text = [...this.#pending.splice(0), line].join('\n').trim();
    if (text === '/quit' || text === '/exit') {
      leave(ExitCode.ok);
      return;
    }
    if (text.startsWith('/')) {
      const { output } = await this.#host.commands.dispatch(text, { host: this.#host, sessionId: this.#session.id });
      this.#say(output);
    } else if (text !== '') {
      await this.#submit(text);
      return;
    }
    this.#prompt();
  }

  async #submit(text: string): Promise<void> {
    this.#host.model.client();
    await this.#session.submit(text, {
      requestId: ulid(this.#host.clock.now()),
      intent: this.#host.busyInput,
      limit: this.#host.turnLimit,
    });
  }

  #onInterrupt(leave: (exitCode: number) => void): void {
    const now = this.#host.clock.monotonic();
    if (this.#session.interrupt(new AbortReason('user_stop', 'cli'))) {
      this.#say('\nstopping…');
    } else if (now - this.#interruptedAt < EXIT_ARM_MS) {
      leave(ExitCode.ok);
    } else {
      this.#say('\nCtrl-C again to leave.');
      this.#prompt();
    }
    this.#interruptedAt = now;
  }

  #show(event: TurnEvent): void {
    if (event.type === 'text.delta') process.stdout.write(stripControlSequences(event.text));
    else if (event.type === 'text.retracted') this.#say('\n(starting over)');
    else if (event.type === 'text.end' && event.channel === 'interim') this.#say('');
    else if (event.type === 'tool.started') this.#say(`• ${event.name} ${event.summary}`);
    else if (event.type === 'tool.ended') this.#say(`  ${event.status} · ${event.preview}`);
    else if (event.type === 'notice') this.#say(event.text);
    else if (event.type === 'retry.scheduled')
      this.#say(`${event.message} Trying again in ${Math.round(event.waitMs / 1000)} s.`);
    else if (event.type === 'turn.ended') {
      this.#say(event.result.explanation === '' ? '' : `\n${event.result.explanation}`);
      this.#prompt();
    }
  }

  /** Nothing is prompted for any more once the user has left. */
  #prompt(): void {
    if (!this.#left) this.#terminal.prompt();
  }

  #say(text: string): void {
    process.stdout.write(`${stripControlSequences(text)}\n`);
  }
}
