import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../clock/clock.ts';
import { SecretScope } from '../environment/secret-scope.ts';
import { LogFile } from './log-file.ts';
import { createLogger } from './logger.ts';
import { createRedactor } from './redact.ts';
import { TOKEN_SHAPES } from './token-shapes.ts';

let folder = '';
let dir = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-log-'));
  dir = join(folder, 'logs');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const clock = { ...systemClock, now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) };
const logger = (secrets: string[] = []) =>
  createLogger({ dir, level: 'INFO', clock, redact: createRedactor(secrets), profile: 'work' });
const linesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const lines = () => linesOf(join(dir, 'agent.log'));

describe('createLogger', () => {
  test('nothing touches the disk before the first line; the line has all its parts in order', () => {
    const log = logger();
    log.debug('too quiet');
    expect(existsSync(dir)).toBe(false);
    log.child({ component: 'turn', session: 's1' }).warn('retrying', { attempt: 2 });
    expect(readFileSync(join(dir, 'agent.log'), 'utf8')).toBe(
      '{"time":"2026-01-02T03:04:05.678Z","level":"WARN","session":"s1","profile":"work","component":"turn","message":"retrying","fields":{"attempt":2}}\n',
    );
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, 'agent.log')).mode & 0o777).toBe(0o600);
  });

  test('a change of level reaches every relative', () => {
    const log = logger();
    const child = log.child({ component: 'a' });
    log.setLevel('ERROR');
    child.warn('no');
    child.setLevel('DEBUG');
    log.debug('yes');
    expect(lines().map((line) => line['message'])).toEqual(['yes']);
  });

  test('T39: no planted token survives in message, fields, keys, errors or nested values', () => {
    const log = logger(['my exact "secret"']);
    for (const { sample } of TOKEN_SHAPES) {
      const token = sample.join('');
      log.error(`failed with ${token}`, {
        url: `https://x.example/?q=${token}`,
        [token]: { deep: [token, new Error(token, { cause: { token } })] },
        api_key: 'short',
        scope: new SecretScope({ path: '', file: new Map([['A_KEY', token]]), shell: {} }),
      });
    }
    log.info('exact my exact "secret"', { note: 'my exact "secret"' });
    const text = readFileSync(join(dir, 'agent.log'), 'utf8');
    for (const { sample } of TOKEN_SHAPES) expect(text).not.toContain(sample.join(''));
    expect(text).not.toMatch(/exact \\"secret|"short"/);
    expect(lines()).toHaveLength(TOKEN_SHAPES.length + 1);
  });

  test('anything can be a field: circles, big numbers, bytes, getters that throw, endless depth', () => {
    const circle: Record<string, unknown> = {
      big: 10n,
      bytes: new Uint8Array(3),
      when: new Date(Number.NaN),
      f: () => 1,
    };
    circle['self'] = circle;
    const trap = {
      get bad(): string {
        throw new Error('no');
      },
    };
    logger().info('x'.repeat(20_000), { circle, trap, many: Array.from({ length: 500 }, (_, i) => i) });
    const [line] = lines();
    expect(line?.['message']).toMatch(/^x{8192}\.\.\. \(20000 characters\)$/);
    expect(line).toMatchObject({
      fields: { circle: { big: '10', bytes: '(3 bytes)', when: '(invalid date)' }, trap: '(unreadable)' },
    });
  });
});

describe('a log that cannot be written', () => {
  test('never disturbs the caller, and the first line that gets through says how many are missing', async () => {
    await writeFile(dir, 'a file where the directory should be');
    const log = logger();
    log.info('one');
    log.info('two');
    await unlink(dir);
    log.info('three');
    log.info('four');
    expect(lines().map((line) => [line['message'], line['lost']])).toEqual([
      ['three', 2],
      ['four', undefined],
    ]);
  });

  test('a full disk costs lines, not the turn, and the line after a torn one is whole', async () => {
    await symlink('/dev/full', join(folder, 'agent.log'));
    const full = createLogger({ dir: folder, level: 'INFO', clock, redact: (text) => text });
    full.info('one');
    await unlink(join(folder, 'agent.log'));
    full.info('two');
    expect(linesOf(join(folder, 'agent.log'))).toMatchObject([{ message: 'two', lost: 1 }]);

    const module = new URL('./log-file.ts', import.meta.url).href;
    const code = `const { LogFile } = await import(${JSON.stringify(module)});
      const file = new LogFile({ path: 'torn.log', maxBytes: 1e9, keep: 1 });
      file.append('x'.repeat(900)); file.append('y'.repeat(900)); console.log(file.lost);`;
    const shell = ['-c', 'ulimit -f 2; exec "$0" --input-type=module -e "$1" | cat', process.execPath, code];
    const { stdout } = await promisify(execFile)('sh', shell, { cwd: folder });
    expect(stdout.trim()).toBe('1');
    const file = new LogFile({ path: join(folder, 'torn.log'), maxBytes: 1e9, keep: 1 });
    file.append('z');
    file.close();
    expect(readFileSync(join(folder, 'torn.log'), 'utf8')).toMatch(/^x{900}\ny+\nz\n$/);
  });
});

describe('LogFile', () => {
  const path = () => join(folder, 'a.log');

  test('is rotated by size, keeps so many older ones, and the youngest is .1', () => {
    const file = new LogFile({ path: path(), maxBytes: 100, keep: 3 });
    for (let i = 0; i < 12; i++) file.append(`${i}`.padStart(40, '.'));
    file.close();
    expect(readdirSync(folder).sort()).toEqual(['a.log', 'a.log.1', 'a.log.2', 'a.log.3']);
    const ends = ['', '.1', '.2', '.3'].map((end) =>
      readFileSync(path() + end, 'utf8')
        .trim()
        .split('\n')
        .map(Number.parseFloat),
    );
    expect(ends.map((numbers) => numbers.length)).toEqual([2, 2, 2, 2]);
    expect(readFileSync(path(), 'utf8')).toMatch(/\.10\n\.+11\n$/);
    expect(readFileSync(`${path()}.3`, 'utf8')).toMatch(/\.4\n\.+5\n$/);
  });

  test('is opened again when somebody moved or removed it', async () => {
    const file = new LogFile({ path: path(), maxBytes: 1e9, keep: 3 });
    file.append('one');
    await rename(path(), join(folder, 'moved.log'));
    file.append('two');
    await unlink(path());
    file.append('three');
    file.close();
    expect(readFileSync(join(folder, 'moved.log'), 'utf8')).toBe('one\n');
    expect(readFileSync(path(), 'utf8')).toBe('three\n');
  });

  test('processes writing and rotating together lose no line and tear none', async () => {
    const module = new URL('./log-file.ts', import.meta.url).href;
    const code = `const { LogFile } = await import(${JSON.stringify(module)});
      const file = new LogFile({ path: 'a.log', maxBytes: 4000, keep: 50 });
      for (let i = 0; i < 300; i++) file.append(process.argv[1] + '-' + i + '-' + 'x'.repeat(60));`;
    const writer = (name: string) =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, name], { cwd: folder });
    await Promise.all(['a', 'b', 'c'].map(writer));
    const all = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
    expect(all.every((line) => /^[abc]-\d+-x{60}$/.test(line))).toBe(true);
    expect(new Set(all).size).toBe(900);
  });

  test('a rotation lock left by a dead process does not stop rotation for long', async () => {
    await writeFile(`${path()}.lock`, '');
    const file = new LogFile({ path: path(), maxBytes: 50, keep: 1 });
    for (let i = 0; i < 3; i++) file.append('x'.repeat(40));
    file.close();
    expect(statSync(path()).size).toBe(123);
    await utimes(`${path()}.lock`, 0, 0);
    file.append('y');
    file.close();
    expect(readFileSync(path(), 'utf8')).toBe('y\n');
  });
});
