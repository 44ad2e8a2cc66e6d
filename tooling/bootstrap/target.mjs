import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnv, userEnv } from './env.mjs';
import { BuildFailure, Interrupted, StepFailure } from './failure.mjs';
import { runInForeground } from './run.mjs';
import { COMMAND, setUp } from './setup.mjs';
import { ROOT } from './workspace.mjs';

/**
 * @typedef {import('./toolchain.mjs').Toolchain} Toolchain
 * @typedef {object} Target
 * @property {string} help
 * @property {import('./setup.mjs').Step} needs the last set-up step the target needs
 * @property {(toolchain: Toolchain, args: string[]) => import('./run.mjs').Command} [command]
 */

/** @type {Record<string, Target>} */
const TARGETS = {
  start: {
    help: 'run the hermes command with the given arguments',
    needs: 'build',
    command: ({ node }, args) => ({
      file: node,
      // As bin/hermes does: a smaller young generation keeps a long run smaller and costs no time.
      args: ['--max-semi-space-size=4', join(ROOT, COMMAND), ...args],
      cwd: startFolder(),
      env: userEnv(process.env, ROOT),
    }),
  },
  test: {
    help: 'every check, then every test; with arguments only the tests they name',
    needs: 'build',
    command: (toolchain, args) => script(toolchain, 'tooling/checks/main.ts', ['test', ...args]),
  },
  check: {
    help: 'every check without the tests',
    needs: 'install',
    command: (toolchain, args) => script(toolchain, 'tooling/checks/main.ts', ['check', ...args]),
  },
  bench: {
    help: 'the end-to-end benchmarks; with --micro those beside the sources',
    needs: 'build',
    command: (toolchain, args) =>
      args[0] === '--micro'
        ? script(toolchain, 'tooling/checks/main.ts', ['bench', ...args.slice(1)])
        : script(toolchain, 'tests/bench/main.ts', args),
  },
  setup: { help: 'fetch, install and build what is missing', needs: 'build' },
  exec: {
    help: 'run a tool of the repository, as in: exec pnpm install',
    needs: 'toolchain',
    command: (toolchain, [tool = 'pnpm', ...args]) => ({
      file: tool,
      args,
      cwd: startFolder(),
      env: toolEnv(process.env, { ...toolchain, path: [...toolchain.path, join(ROOT, 'node_modules', '.bin')] }),
    }),
  },
};

/**
 * Sets up what the target needs and runs it.
 *
 * @param {string[]} argv the target and its arguments
 * @returns {Promise<number>} the exit status of the target, or 1 when the set-up failed
 */
export async function runTarget([name = '', ...rest]) {
  const target = Object.hasOwn(TARGETS, name) ? TARGETS[name] : undefined;
  if (target === undefined) {
    console.error(usage());
    return 2;
  }
  try {
    const toolchain = await setUp(ROOT, target.needs, (line) => console.error(`hermes: ${line}`));
    return target.command === undefined ? 0 : await runInForeground(target.command(toolchain, rest));
  } catch (error) {
    if (error instanceof Interrupted) return error.status;
    if (error instanceof Error && 'syscall' in error) {
      console.error(`hermes: could not run ${name} (${error.message}).`);
      return 1;
    }
    if (!(error instanceof StepFailure || error instanceof BuildFailure)) throw error;
    console.error(error.message);
    // Whoever reads only the closing line of a test run must not take a failed set-up for a pass.
    if (name === 'test') console.log('0 passed, 1 failed');
    return 1;
  }
}

/**
 * @param {Toolchain} toolchain
 * @param {string} file
 * @param {string[]} args
 */
function script(toolchain, file, args) {
  return { file: toolchain.node, args: [join(ROOT, file), ...args], cwd: ROOT, env: toolEnv(process.env, toolchain) };
}

/** The folder the person was in; npm moves to the top of the checkout and keeps the first one in INIT_CWD. */
function startFolder() {
  const first = process.env.INIT_CWD;
  return first !== undefined && existsSync(first) ? first : process.cwd();
}

function usage() {
  const lines = Object.entries(TARGETS).map(([name, { help }]) => `  ${name.padEnd(6)} ${help}`);
  return ['Usage: node tooling/bootstrap/main.mjs TARGET [arguments]', ...lines].join('\n');
}
