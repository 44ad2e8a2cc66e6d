import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { toolEnv } from './env.mjs';
import { StepFailure } from './failure.mjs';
import { runStep } from './run.mjs';

const NODE_VERSION = '24.21.0';

/**
 * @typedef {object} Toolchain
 * @property {string} node path of the Node that runs everything after the set-up
 * @property {string} version of that Node
 * @property {string} pnpm path of pnpm's own script
 * @property {string[]} path folders to put in front of PATH
 * @property {string | undefined} nodeHome folder with the headers of a fetched Node
 */

/**
 * Whether Hermes and its tools run on this Node: 22.18, 24.11 or newer lines (the narrowest is tsup's `engines`).
 *
 * @param {string} version such as `24.21.0`
 */
export function nodeIsGood(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major === 22 && minor >= 18) || (major === 24 && minor >= 11) || major >= 26;
}

/**
 * The toolchain that is already here, if any.
 *
 * @param {string} root
 * @returns {Toolchain | undefined}
 */
export function findToolchain(root) {
  const pnpm = pnpmVersion(root);
  const kinds = nodeIsGood(process.versions.node) ? [true, false] : [true];
  const withNode = kinds.find((kind) => existsSync(join(folderFor(root, pnpm, kind), 'ok')));
  return withNode === undefined ? undefined : describe(folderFor(root, pnpm, withNode), withNode);
}

/**
 * Brings pnpm, and Node where the running one is too old, from the package registry into `.toolchain/`. The folder
 * appears in one rename, so a killed fetch leaves nothing that looks finished. Call it under the set-up lock.
 *
 * @param {string} root
 * @param {(line: string) => void} say
 * @returns {Promise<Toolchain>}
 */
export async function fetchToolchain(root, say) {
  const home = join(root, '.toolchain');
  const withNode = !nodeIsGood(process.versions.node);
  const pnpm = pnpmVersion(root);
  const names = withNode ? `Node ${NODE_VERSION} and pnpm ${pnpm}` : `pnpm ${pnpm}`;
  say(`fetching ${names} into .toolchain`);

  mkdirSync(home, { recursive: true });
  for (const left of readdirSync(home)) {
    if (left.startsWith('tmp-')) rmSync(join(home, left), { recursive: true, force: true });
  }
  const unfinished = join(home, `tmp-${process.pid}`);
  const packages = [`pnpm@${pnpm}`, ...(withNode ? [`${nodePackage()}@${NODE_VERSION}`] : [])];
  /** @param {string} name */
  const step = (name) => ({
    failure: (/** @type {string} */ output, /** @type {string} */ log) =>
      new StepFailure(`fetch ${names}`, output, log),
    log: join(home, 'logs', `${name}.log`),
    note: join(home, 'running'),
  });
  await runStep(npmCommand(root, unfinished, packages), step('toolchain'));
  // npm may leave files cut off on a full disk and still report success.
  if (isFull(home)) throw new StepFailure(`fetch ${names}`, 'ENOSPC: no space left on device');
  const fetched = describe(unfinished, withNode);
  const env = toolEnv(process.env, fetched);
  await runStep({ file: fetched.node, args: [fetched.pnpm, '--version'], cwd: root, env }, step('toolchain-check'));

  const folder = folderFor(root, pnpm, withNode);
  writeFileSync(join(unfinished, 'ok'), '');
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return describe(folder, withNode);
}

/**
 * @param {string} folder
 * @returns {boolean} true when less than 1 MB can be written
 */
function isFull(folder) {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < 2 ** 20;
}

/**
 * @param {string} root
 * @param {string} prefix
 * @param {string[]} packages
 */
function npmCommand(root, prefix, packages) {
  const started = process.env.npm_execpath ?? '';
  const [file, ...before] = started.endsWith('npm-cli.js') ? [process.execPath, started] : ['npm'];
  const quick = ['--fetch-retries=3', '--fetch-retry-factor=2', '--fetch-retry-mintimeout=500'];
  const quiet = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  return {
    file: file ?? 'npm',
    args: [...before, 'install', '--prefix', prefix, ...quiet, ...quick, ...packages],
    cwd: root,
    env: toolEnv(process.env),
  };
}

/**
 * @param {string} root
 * @param {string} pnpm
 * @param {boolean} withNode
 */
function folderFor(root, pnpm, withNode) {
  return join(root, '.toolchain', withNode ? `node-${NODE_VERSION}-pnpm-${pnpm}` : `pnpm-${pnpm}`);
}

/**
 * @param {string} folder
 * @param {boolean} withNode
 * @returns {Toolchain}
 */
function describe(folder, withNode) {
  const modules = join(folder, 'node_modules');
  const nodeHome = join(modules, nodePackage());
  const nodeFolder = process.platform === 'win32' ? nodeHome : join(nodeHome, 'bin');
  return {
    node: withNode ? join(nodeFolder, process.platform === 'win32' ? 'node.exe' : 'node') : process.execPath,
    version: withNode ? NODE_VERSION : process.versions.node,
    pnpm: join(modules, 'pnpm', 'bin', 'pnpm.cjs'),
    path: [...(withNode ? [nodeFolder] : []), join(modules, '.bin')],
    nodeHome: withNode ? nodeHome : undefined,
  };
}

function nodePackage() {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

/**
 * @param {string} root
 * @returns {string} the version that the manifest at the top names, such as `10.34.9`
 */
function pnpmVersion(root) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = /^pnpm@([\d.]+)/.exec(packageManager)?.[1];
  if (version === undefined) throw new Error(`"packageManager" in ${join(root, 'package.json')} does not name pnpm`);
  return version;
}
