import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Runs `work` while no other process holds `file`. The file names its holder; the lock of a process that was killed is
 * taken over by whoever notices first.
 *
 * @template T
 * @param {string} file
 * @param {() => T | Promise<T>} work
 * @param {(pid: number) => void} [onWait] told once when another process holds the lock
 * @returns {Promise<T>}
 */
export async function withLock(file, work, onWait = () => {}) {
  const me = identity(process.pid);
  const claim = claimOf(file, me);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(claim, me);
  try {
    await take(file, claim, onWait);
    try {
      return await work();
    } finally {
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(claim, { force: true });
  }
}

/**
 * Resolves when the process named in `file` by {@link noteProcess} has ended.
 *
 * @param {string} file
 * @param {(pid: number) => void} onWait told once when that process still runs
 */
export async function ended(file, onWait) {
  let told = false;
  for (let holder = read(file); holder !== undefined && alive(holder); holder = read(file)) {
    if (!told) onWait(pidOf(holder));
    told = true;
    await wait(50);
  }
}

/**
 * @param {string} file
 * @param {number} pid
 */
export function noteProcess(file, pid) {
  writeFileSync(file, identity(pid));
}

/**
 * @param {string} file
 * @param {string} claim a file of our own with our identity; linking it is atomic and never shows an empty lock
 * @param {(pid: number) => void} onWait
 */
async function take(file, claim, onWait) {
  let told = false;
  while (!link(claim, file)) {
    const holder = read(file);
    if (holder === undefined) continue;
    if (alive(holder)) {
      if (!told) onWait(pidOf(holder));
      told = true;
      await wait(50);
    } else {
      await removeStale(file, holder);
    }
  }
}

/**
 * Only the holder of the lock named after the dead process may remove what that process left, so nobody can remove the
 * lock of a live process that came in between.
 *
 * @param {string} file
 * @param {string} dead
 */
async function removeStale(file, dead) {
  await withLock(`${file}.stale-${dead.replace(' ', '-')}`, () => {
    if (read(file) !== dead) return;
    rmSync(file, { force: true });
    rmSync(claimOf(file, dead), { force: true });
  });
}

/**
 * @param {string} file
 * @param {string} holder
 */
function claimOf(file, holder) {
  return `${file}.claim-${holder.replace(' ', '-')}`;
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {boolean} false when `to` exists
 */
function link(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * @param {string} file
 * @returns {string | undefined}
 */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * A process id comes back after a restart of the machine or container; together with the start time it does not.
 *
 * @param {number} pid
 */
function identity(pid) {
  return `${pid} ${startTime(pid) ?? '-'}`;
}

/**
 * @param {string} holder
 */
function pidOf(holder) {
  return Number(holder.split(' ')[0]);
}

/**
 * @param {string} holder
 */
function alive(holder) {
  const [pid, started] = holder.split(' ');
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  return started === '-' || startTime(Number(pid)) === started;
}

/**
 * @param {number} pid
 * @returns {string | undefined} ticks since the machine started; nothing for a zombie or where the system does not tell
 */
function startTime(pid) {
  try {
    // proc(5): the name in brackets may hold spaces; state is field 3, start time field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} error
 */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
