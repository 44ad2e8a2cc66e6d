import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnv } from './env.mjs';
import { BuildFailure, StepFailure } from './failure.mjs';
import { installFingerprint, sourceSignature } from './fingerprint.mjs';
import { ended, withLock } from './lock.mjs';
import { runStep } from './run.mjs';
import { fetchToolchain, findToolchain } from './toolchain.mjs';

/**
 * @typedef {'toolchain' | 'install' | 'build'} Step
 * @typedef {import('./toolchain.mjs').Toolchain} Toolchain
 * @typedef {(line: string) => void} Say
 */

/** A lost network is told after seconds; pnpm's own settings take a minute. */
const RETRIES = { npm_config_fetch_retry_mintimeout: '500', npm_config_fetch_retry_factor: '2' };

/** What the build makes and `start` runs. */
export const COMMAND = join('apps', 'cli', 'dist', 'main.js');

/**
 * Brings the checkout to the point where everything up to `last` is in place. Each step does nothing when its result is
 * there; a killed set-up is continued by the next one; several at once wait for each other.
 *
 * @param {string} root
 * @param {Step} last
 * @param {Say} say told one line for each step that has something to do
 * @returns {Promise<Toolchain>}
 * @throws {StepFailure}
 */
export async function setUp(root, last, say) {
  const ready = findToolchain(root);
  if (ready !== undefined && pending(root, ready, last).length === 0) return ready;
  const home = join(root, '.toolchain');
  return attempt('prepare the folder .toolchain', () =>
    withLock(
      join(home, 'lock'),
      async () => {
        await ended(join(home, 'running'), (pid) =>
          say(`waiting for what a killed set-up left running (process ${pid})`),
        );
        const toolchain = findToolchain(root) ?? (await fetchToolchain(root, say));
        for (const step of pending(root, toolchain, last)) await step(root, toolchain, say);
        return toolchain;
      },
      (pid) => say(`waiting for another set-up of this folder (process ${pid})`),
    ),
  );
}

/**
 * @param {string} root
 * @param {Toolchain} toolchain
 * @param {Step} last
 */
function pending(root, toolchain, last) {
  if (last === 'toolchain') return [];
  const installed = fingerprintOf(root, toolchain);
  const installing = readStamp(installStamp(root)) === installed ? [] : [install];
  if (last === 'install') return installing;
  const built = existsSync(join(root, COMMAND)) && readStamp(buildStamp(root)) === sourceSignature(root, installed);
  return [...installing, ...(built ? [] : [build])];
}

/**
 * @param {string} root
 * @param {Toolchain} toolchain
 * @param {Say} say
 */
async function install(root, toolchain, say) {
  say('installing dependencies');
  const fingerprint = fingerprintOf(root, toolchain);
  rmSync(installStamp(root), { force: true });
  await runStep(
    {
      file: toolchain.node,
      args: [toolchain.pnpm, 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'],
      cwd: root,
      env: { ...toolEnv(process.env, toolchain), ...RETRIES },
    },
    {
      failure: (output, log) => new StepFailure('install the dependencies', output, log),
      ...stepFiles(root, 'install'),
    },
  );
  writeStamp(installStamp(root), fingerprint);
}

/**
 * @param {string} root
 * @param {Toolchain} toolchain
 * @param {Say} say
 */
async function build(root, toolchain, say) {
  say('building the hermes command');
  const turbo = join(root, 'node_modules', 'turbo', 'bin', 'turbo');
  // Taken before the build: a source saved while it runs makes the next set-up build again.
  const signature = sourceSignature(root, fingerprintOf(root, toolchain));
  rmSync(buildStamp(root), { force: true });
  await runStep(
    {
      file: toolchain.node,
      args: [turbo, 'run', 'build', '--filter=@hermes/cli', '--output-logs=errors-only', '--ui=stream'],
      cwd: root,
      env: toolEnv(process.env, toolchain),
    },
    { failure: (output, log) => new BuildFailure(output, log), ...stepFiles(root, 'build') },
  );
  writeStamp(buildStamp(root), signature);
}

/**
 * A system error in a step's own work, such as a full disk, reads like any other failed step.
 *
 * @template T
 * @param {string} step
 * @param {() => Promise<T>} work
 */
async function attempt(step, work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new StepFailure(step, error.message);
    throw error;
  }
}

/**
 * @param {string} root
 * @param {string} name
 */
function stepFiles(root, name) {
  const home = join(root, '.toolchain');
  return { log: join(home, 'logs', `${name}.log`), note: join(home, 'running') };
}

/**
 * @param {string} root
 * @param {Toolchain} toolchain
 */
function fingerprintOf(root, { version, pnpm }) {
  return installFingerprint(root, [version, pnpm.slice(root.length), process.platform, process.arch]);
}

/**
 * Goes away together with the packages it speaks of.
 *
 * @param {string} root
 */
function installStamp(root) {
  return join(root, 'node_modules', '.hermes-installed');
}

/** @param {string} root */
function buildStamp(root) {
  return join(root, '.toolchain', 'built');
}

/** @param {string} file */
function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * @param {string} file
 * @param {string} content
 */
function writeStamp(file, content) {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
}
