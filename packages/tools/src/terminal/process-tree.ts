import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from '@hermes/runtime';

/** Between asking a tree to end and ending it (tools spec 3.2). */
const TERM_GRACE_MS = 5000;

/** How often a tree that was asked to end is looked at. */
const LOOK_EVERY_MS = 50;

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks since boot: tells a reused id from the process that had it before. */
  readonly started: string;
  readonly dead: boolean;
}

/**
 * Ends a process that leads its own session, with everything it started: TERM now, KILL after five seconds for whatever is left.
 * Besides the process group it reaches children that moved to another group or session. Resolves when nothing is left to end.
 */
export async function endProcessTree(root: number, clock: Clock): Promise<void> {
  const known = new Map(treeOf(root).map((entry) => [entry.pid, entry]));
  signalAll(root, known.values(), 'SIGTERM');
  const deadline = clock.monotonic() + TERM_GRACE_MS;
  while (clock.monotonic() < deadline) {
    await clock.sleep(LOOK_EVERY_MS);
    if (survivors(root, known).length === 0 && !groupLives(root)) return;
  }
  signalAll(root, survivors(root, known), 'SIGKILL');
}

/** Members of the tree that still live: those seen before and those that have joined since. */
function survivors(root: number, known: Map<number, ProcessEntry>): ProcessEntry[] {
  const all = processes();
  for (const entry of treeWithin(all, root)) known.set(entry.pid, entry);
  return all.filter((entry) => !entry.dead && known.get(entry.pid)?.started === entry.started);
}

/** Whether the group still has members; a dead leader that nobody has collected yet counts, but not for long. */
function groupLives(root: number): boolean {
  try {
    process.kill(-root, 0);
    return true;
  } catch {
    return false;
  }
}

function signalAll(root: number, entries: Iterable<ProcessEntry>, signal: 'SIGTERM' | 'SIGKILL'): void {
  send(-root, signal);
  for (const { pid, group } of entries) if (group !== root) send(pid, signal);
}

function send(target: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(target, signal);
  } catch {
    // Already gone, or no longer ours.
  }
}

function treeOf(root: number): ProcessEntry[] {
  return treeWithin(processes(), root);
}

function treeWithin(all: readonly ProcessEntry[], root: number): ProcessEntry[] {
  const members = new Set([root]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const { pid, parent, session } of all) {
      if (members.has(pid) || (session !== root && !members.has(parent))) continue;
      members.add(pid);
      grown = true;
    }
  }
  return all.filter(({ pid }) => members.has(pid));
}

/** All processes where the system shows them under `/proc`; elsewhere none, and the process group alone is reached. */
function processes(): ProcessEntry[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/u.test(name))
      .flatMap((name) => readEntry(name) ?? []);
  } catch {
    return [];
  }
}

function readEntry(name: string): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      pid: Number(name),
      parent: Number(fields[1]),
      group: Number(fields[2]),
      session: Number(fields[3]),
      started: fields[19] ?? '',
      dead: fields[0] === 'Z' || fields[0] === 'X',
    };
  } catch {
    return undefined;
  }
}
