import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withLock } from './lock.mjs';

const LOCK_MODULE = new URL('./lock.mjs', import.meta.url).href;
const hasProc = existsSync('/proc/self/stat');

let folder: string;
let lock: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hermes-lock-'));
  lock = join(folder, 'lock');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A process that takes the lock `rounds` times; being inside together with another one fails it. */
function contender(rounds: number): ChildProcess {
  return script(`
    for (let round = 0; round < ${rounds}; round++) {
      await withLock(lock, async () => {
        writeFileSync(inside, '', { flag: 'wx' });
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
        rmSync(inside);
        appendFileSync(done, 'x');
      });
    }`);
}

function script(body: string): ChildProcess {
  const code = `
    import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
    import { withLock } from ${JSON.stringify(LOCK_MODULE)};
    const lock = ${JSON.stringify(lock)};
    const inside = ${JSON.stringify(join(folder, 'inside'))};
    const done = ${JSON.stringify(join(folder, 'done'))};
    ${body}`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function runContenders(count: number, rounds: number): Promise<void> {
  const codes = await Promise.all(
    Array.from({ length: count }, async () => {
      const [code] = await once(contender(rounds), 'exit');
      return code;
    }),
  );
  expect(codes).toEqual(codes.map(() => 0));
  expect(readFileSync(join(folder, 'done'), 'utf8')).toHaveLength(count * rounds);
}

/** The identity of a process that held the lock when it was killed. */
async function killedHolder(): Promise<string> {
  const holder = script(`
    await withLock(lock, () => new Promise(() => {
      process.stdout.write('held');
      setInterval(() => {}, 1000);
    }));`);
  if (holder.stdout === null) throw new Error('no output');
  await once(holder.stdout, 'data');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  return readFileSync(lock, 'utf8');
}

describe('the set-up lock', () => {
  test('lets many processes in one after the other', async () => {
    await runContenders(8, 5);
    expect(readdirSync(folder)).toEqual(['done']);
  });

  test('of a killed process is taken over, by one process at a time', async () => {
    await killedHolder();
    await runContenders(8, 3);
    expect(readdirSync(folder)).toEqual(['done']);
  });

  test('is taken over although a process was killed while it did so', async () => {
    const dead = await killedHolder();
    writeFileSync(`${lock}.stale-${dead.replace(' ', '-')}`, dead);
    await runContenders(4, 2);
    expect(readdirSync(folder)).toEqual(['done']);
  });

  test.skipIf(!hasProc)('is not kept alive by a later process with the same id', async () => {
    writeFileSync(lock, `${process.pid} 1`);
    expect(await withLock(lock, () => 'in')).toBe('in');
  });

  test('tells once who is waited for', async () => {
    const told: number[] = [];
    let release = () => {};
    let entered = () => {};
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const first = withLock(lock, () => {
      entered();
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    await inside;
    const second = script(`await withLock(lock, () => {}, (pid) => process.stdout.write(String(pid)));`);
    second.stdout?.once('data', (pid: Buffer) => {
      told.push(Number(pid));
      release();
    });
    await Promise.all([first, once(second, 'exit')]);
    expect(told).toEqual([process.pid]);
  });

  test('is given back when the work fails', async () => {
    await expect(withLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(readdirSync(folder)).toEqual([]);
  });
});
