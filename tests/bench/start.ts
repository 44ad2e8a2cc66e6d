import { execFileSync } from 'node:child_process';
import { startModelServer, textStep } from '@hermes/model-server';
import { spawn as spawnPty } from '@lydell/node-pty';
import { LAUNCHER, Sandbox } from '../support/hermes.ts';

/** Milliseconds of `hermes --version`. */
export function measureVersion(): number {
  const started = performance.now();
  execFileSync(LAUNCHER, ['--version']);
  return performance.now() - started;
}

/** Milliseconds of `node -e 0`: what no program on Node can be faster than. */
export function measureNode(): number {
  const started = performance.now();
  execFileSync(process.execPath, ['-e', '0']);
  return performance.now() - started;
}

/** Milliseconds from the start of the process to the first drawn composer of the terminal interface, at 120x40. */
export async function measureFirstFrame(): Promise<number> {
  const server = await startModelServer({ script: [textStep('hi')] });
  const box = new Sandbox();
  box.configure(server.url);
  await box.warm();
  const started = performance.now();
  const terminal = spawnPty(LAUNCHER, [], {
    cols: 120,
    rows: 40,
    cwd: box.project,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: box.dir,
      HERMES_HOME: box.home,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
    },
  });
  const ended = new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  const drawn = await new Promise<number>((resolve) => {
    let screen = '';
    terminal.onData((data) => {
      screen += data;
      if (screen.includes('❯')) resolve(performance.now() - started);
    });
  });
  terminal.kill('SIGTERM');
  await ended;
  await server.close();
  box.remove();
  return drawn;
}
