import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The command as it is built for users. */
export const CLI = fileURLToPath(new URL('../../apps/cli/dist/main.js', import.meta.url));

/** The way it is started without npm. */
export const LAUNCHER = fileURLToPath(new URL('../../bin/hermes', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** A home and a project of their own, in a temporary folder. */
export class Sandbox {
  readonly dir = mkdtempSync(join(tmpdir(), 'hermes-e2e-'));
  readonly home = join(this.dir, 'home');
  readonly project = join(this.dir, 'project');

  constructor() {
    for (const path of [this.home, this.project]) mkdirSync(path, { recursive: true });
  }

  /** Settings that point the `bench` provider at a server. */
  configure(url: string, extra = ''): void {
    writeFileSync(
      join(this.home, 'config.yaml'),
      `model:\n  provider: bench\n  default: scripted-model\nproviders:\n  bench:\n    base_url: ${url}\n    key_env: BENCH_API_KEY\n    models:\n      scripted-model:\n        context_length: 200000\n${extra}`,
    );
    writeFileSync(join(this.home, '.env'), 'BENCH_API_KEY=test-key-0123456789\n', { mode: 0o600 });
  }

  /** Leaves the home as a first start leaves it: made, and with its settings checked. */
  async warm(): Promise<void> {
    await this.run(['config', 'get', 'model.default']);
  }

  /** Starts the command; stdin is closed unless something is to be read from it. */
  start(
    args: readonly string[],
    options: { readonly input?: string; readonly env?: Record<string, string> } = {},
  ): Running {
    const started = performance.now();
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: this.project,
      env: { PATH: process.env.PATH ?? '', HOME: this.dir, HERMES_HOME: this.home, LANG: 'C.UTF-8', ...options.env },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    if (options.input !== undefined) child.stdin?.end(options.input);
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr, ms: performance.now() - started }));
    });
    return { child, ended };
  }

  run(
    args: readonly string[],
    options: { readonly input?: string; readonly env?: Record<string, string> } = {},
  ): Promise<Ended> {
    return this.start(args, options).ended;
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}
