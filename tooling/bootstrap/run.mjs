import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { Interrupted } from './failure.mjs';
import { noteProcess } from './lock.mjs';

/**
 * @typedef {object} Command
 * @property {string} file
 * @property {string[]} args
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * Runs a command in the foreground: it owns the terminal, this process only waits for it.
 *
 * @param {Command} command
 * @returns {Promise<number>} the exit status, 128 plus the signal number when a signal ended it
 */
export function runInForeground({ file, args, cwd, env }) {
  const child = spawn(file, args, { cwd, env, stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; what it means is the child's decision.
  return exitOf(child, { SIGINT: () => {}, SIGTERM: passOn(child), SIGHUP: passOn(child) });
}

/**
 * Runs one command of a set-up step in the background and keeps its output.
 *
 * @param {Command} command
 * @param {object} options
 * @param {(output: string, log: string) => Error} options.failure made when the command fails
 * @param {string} options.log file for the output
 * @param {string} options.note file that names the running process
 * @returns {Promise<void>}
 * @throws {Interrupted} when a signal asked to stop
 */
export async function runStep({ file, args, cwd, env }, { failure, log, note }) {
  mkdirSync(dirname(log), { recursive: true });
  const keep = openSync(log, 'w');
  /** @type {Buffer[]} */
  const output = [];
  /** @param {Buffer} chunk */
  const take = (chunk) => {
    output.push(chunk);
    writeIfPossible(keep, chunk);
  };
  let interrupted = 0;
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    interrupted = 128 + constants.signals[signal];
    child.kill(signal);
  };
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  if (child.pid !== undefined) noteProcess(note, child.pid);
  try {
    const status = await exitOf(child, { SIGINT: stop, SIGTERM: stop, SIGHUP: stop }).catch((error) => {
      throw failure(error.message, log);
    });
    if (interrupted > 0) throw new Interrupted(interrupted);
    if (status !== 0) throw failure(Buffer.concat(output).toString('utf8'), log);
  } finally {
    closeSync(keep);
    rmSync(note, { force: true });
  }
}

/**
 * The disk may be full, which is just what the output then tells.
 *
 * @param {number} file
 * @param {Buffer} chunk
 */
function writeIfPossible(file, chunk) {
  try {
    writeSync(file, chunk);
  } catch {
    // The output is kept in memory as well.
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {Partial<Record<NodeJS.Signals, (signal: NodeJS.Signals) => void>>} handlers in force while the child runs
 * @returns {Promise<number>}
 */
function exitOf(child, handlers) {
  const entries = Object.entries(handlers);
  for (const [signal, handler] of entries) process.on(signal, handler);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]));
  }).finally(() => {
    for (const [signal, handler] of entries) process.off(signal, handler);
  });
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {(signal: NodeJS.Signals) => void}
 */
function passOn(child) {
  return (signal) => void child.kill(signal);
}
