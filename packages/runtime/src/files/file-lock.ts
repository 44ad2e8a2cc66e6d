import { mkdir, open, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ExitCode } from '../errors/exit-code.ts';
import { HermesError } from '../errors/hermes-error.ts';
import { randomHex } from '../ids/ulid.ts';
import { errorCode, fileError } from './file-error.ts';

/** Time between two looks at a lock that is held. */
const POLL_MS = 25;
/** A lock is held for milliseconds; one this old belongs to a machine or container that is gone. */
const ABANDONED_MS = 60_000;

export interface LockOptions {
  /** How long to wait for another holder before giving up. */
  readonly waitMs: number;
}

/**
 * Runs `work` while this process alone holds the lock file at `path`. A lock left by a process that died is taken
 * over. Throws a `HermesError` with exit code 75 (try again) when another process keeps it for longer than `waitMs`.
 *
 * @example
 * await withFileLock(`${home}/config.yaml.lock`, { waitMs: 5_000 }, async () => editFile());
 */
export async function withFileLock<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const owner = `${process.pid} ${hostname()} ${randomHex(6)}\n`;
  await acquire(path, owner, performance.now() + options.waitMs);
  try {
    return await work();
  } finally {
    await release(path, owner);
  }
}

async function acquire(path: string, owner: string, deadline: number): Promise<void> {
  for (;;) {
    if (await create(path, owner)) return;
    if (await takeAwayAbandoned(path)) continue;
    if (performance.now() >= deadline) throw lockHeld(path, await holderOf(path));
    await delay(POLL_MS);
  }
}

async function create(path: string, owner: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(owner);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw fileError('lock', path, error);
  }
}

/** Only what this call wrote is removed: a lock judged abandoned while its holder slept has a new owner. */
async function release(path: string, owner: string): Promise<void> {
  if ((await holderOf(path)) === owner) await rm(path, { force: true });
}

/**
 * Removes a lock whose holder is gone. Two processes may find it at once, and the slower one must not remove the
 * lock the faster one has made since: a directory beside it lets one of them look again and remove.
 */
async function takeAwayAbandoned(path: string): Promise<boolean> {
  if (!(await isAbandoned(path))) return false;
  const guard = `${path}.recover`;
  try {
    await mkdir(guard, { mode: 0o700 });
  } catch {
    if ((await ageOf(guard)) > ABANDONED_MS) await rmdir(guard).catch(() => {});
    return false;
  }
  try {
    if (!(await isAbandoned(path))) return false;
    await rm(path, { force: true });
    return true;
  } finally {
    await rmdir(guard).catch(() => {});
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const holder = await holderOf(path);
  if (holder === undefined) return false;
  const [pid = '', host = ''] = holder.trim().split(' ');
  if (host === hostname() && /^\d+$/.test(pid) && !isAlive(Number(pid))) return true;
  return (await ageOf(path)) > ABANDONED_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

async function ageOf(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
}

async function holderOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}

function lockHeld(path: string, holder: string | undefined): HermesError {
  const pid = holder?.split(' ')[0];
  const who = pid === undefined || pid === '' ? 'Another process' : `Process ${pid}`;
  return new HermesError('lock_held', `${who} is holding ${path}.`, {
    exitCode: ExitCode.tryAgain,
    hints: ['Try again in a moment.', `If no other Hermes is running, remove ${path}.`],
  });
}
