import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { constants, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { messageOf } from '@hermes/runtime';
import { ControlChannel } from './control-channel.ts';
import { Drain } from './drain.ts';
import { READY_WITH_PIPE, type ShellDialect } from './shell-script.ts';

/** Where and with what a shell runs. */
export interface ShellPlace {
  /** `/bin/bash` or another shell, absolute. */
  readonly program: string;
  readonly dialect: ShellDialect;
  /** Absolute and existing. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How a command ended. */
export interface ShellExit {
  /** Exit status, or null when a signal ended the shell. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Where the shell stood at its end; undefined when it could not say. */
  readonly cwd: string | undefined;
  /** The output when other processes still hold it open; whoever takes it must read it or close it. */
  readonly leftover: Readable | undefined;
}

/** The shell could not be started; the command was not run. */
export class ShellNotStarted extends Error {
  override readonly name = 'ShellNotStarted';
}

/**
 * A shell in its own session and process group that waits for one command. Started ahead of time it costs nothing when the command
 * comes; it then behaves exactly like one started for that command.
 *
 * @example
 * const shell = new WaitingShell(place);
 * const exit = await shell.run('echo hi', (bytes) => process.stdout.write(bytes));
 */
export class WaitingShell {
  readonly place: ShellPlace;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #control: ControlChannel;
  readonly #directory: string;
  readonly #ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #output: Promise<Readable>;
  #alive = true;

  constructor(place: ShellPlace) {
    this.place = place;
    this.#directory = directoryIdentity(place.cwd);
    try {
      this.#child = spawn(place.program, ['-c', place.dialect.waiter, place.program.replace(/^.*\//u, '')], {
        cwd: place.cwd,
        env: { ...place.env, PWD: place.cwd },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
      });
    } catch (error) {
      throw new ShellNotStarted(`The shell ${place.program} could not be started: ${messageOf(error)}`);
    }
    this.#child.stdin.on('error', ignore);
    this.#ended = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => {
        this.#alive = false;
        resolve({ code, signal });
      });
    });
    this.#control = new ControlChannel(this.#child.stderr);
    this.#output = this.#openOutput();
    this.#output.catch(ignore);
  }

  /** Process id, which is also the id of its process group and session; undefined when it never started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether it still waits, in the same folder on disk and with the same environment as `place` asks for. */
  fits(place: ShellPlace): boolean {
    const { program, cwd, env } = this.place;
    return (
      this.#alive &&
      program === place.program &&
      cwd === place.cwd &&
      sameEntries(env, place.env) &&
      this.#directory === directoryIdentity(cwd)
    );
  }

  /** Lets the process that owns this shell end although the shell still waits. */
  unref(): void {
    this.#child.unref();
    for (const stream of this.#streams()) stream.unref();
  }

  /** Ends a shell that was given no command. */
  discard(): void {
    this.#child.kill('SIGKILL');
    for (const stream of this.#streams()) stream.destroy();
    void this.#output.then((output) => output.destroy(), ignore);
  }

  /**
   * Runs the one command. Resolves when the shell itself has ended and what it printed has been read, whoever else still holds its
   * output open.
   *
   * @throws ShellNotStarted when the shell never came up or died before it took the command.
   */
  async run(command: string, onOutput: (bytes: Buffer) => void): Promise<ShellExit> {
    this.#child.ref();
    for (const stream of this.#streams()) stream.ref();
    const output = await this.#output;
    if (output instanceof Socket) output.ref();
    const drain = new Drain(output, onOutput);
    this.#child.stdin.end(this.place.dialect.request(command, output !== this.#child.stdout));
    const { code, signal } = await this.#ended;
    const [leftover, cwd] = await Promise.all([drain.finish(), this.#control.lastMessage()]);
    this.#child.stderr.destroy();
    if (output !== this.#child.stdout) this.#child.stdout.destroy();
    if (!this.#control.begun)
      throw new ShellNotStarted(`The shell ${this.place.program} died before it took the command.`);
    return { code, signal, cwd, leftover };
  }

  /** The stream that carries the output: the shell's own pipe where it has one. */
  async #openOutput(): Promise<Readable> {
    const failed = new Promise<never>((_, reject) => {
      this.#child.once('error', (error) => {
        this.#alive = false;
        reject(new ShellNotStarted(`The shell ${this.place.program} could not be started: ${error.message}`));
      });
      void this.#ended.then(({ code }) =>
        reject(
          new ShellNotStarted(`The shell ${this.place.program} ended (${String(code)}) before it took a command.`),
        ),
      );
    });
    const ready = await Promise.race([this.#control.ready, failed]);
    const pipe = ready === READY_WITH_PIPE ? openPipe(this.#child.pid) : undefined;
    return pipe ?? this.#child.stdout;
  }

  #streams(): Socket[] {
    const { stdin, stdout, stderr } = this.#child;
    return [stdin, stdout, stderr].filter((stream) => stream instanceof Socket);
  }
}

function ignore(): void {}

/** The reading end of the pipe that the shell holds as descriptor 9; undefined where `/proc` does not show it. */
function openPipe(pid: number | undefined): Socket | undefined {
  try {
    const fd = openSync(`/proc/${String(pid)}/fd/9`, constants.O_RDONLY | constants.O_NONBLOCK);
    return new Socket({ fd, readable: true, writable: false }).unref();
  } catch {
    return undefined;
  }
}

/** Device and inode: the same path may be another folder by now. */
function directoryIdentity(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : '';
}

function sameEntries(left: Readonly<Record<string, string>>, right: Readonly<Record<string, string>>): boolean {
  if (left === right) return true;
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}
