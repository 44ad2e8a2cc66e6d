import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who holds a lease, written into its row so that another process of the same machine can tell whether it still lives. */
export interface ProcessHolder {
  readonly host: string;
  readonly pid: number;
  /** Start of the process as the operating system tells it; empty where it does not. Guards against reused pids. */
  readonly start: string;
  readonly label: string;
}

/** The current process as a holder. `label` tells the surface and the turn, e.g. `tui:01JE…`. */
export function currentHolder(label: string): string {
  const holder: ProcessHolder = { host: hostname(), pid: process.pid, start: processStart(process.pid), label };
  return JSON.stringify(holder);
}

/** True only when the holder ran on this machine and its process is certainly gone. */
export function isProvablyDead(holder: string): boolean {
  const parsed = parseHolder(holder);
  if (!parsed || parsed.host !== hostname()) return false;
  try {
    process.kill(parsed.pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
  const start = processStart(parsed.pid);
  return start !== '' && parsed.start !== '' && start !== parsed.start;
}

/** A holder for people: `pid 4711 (tui)`. */
export function describeHolder(holder: string): string {
  const parsed = parseHolder(holder);
  return parsed ? `pid ${parsed.pid} (${parsed.label.split(':')[0] ?? parsed.label})` : holder;
}

function parseHolder(holder: string): ProcessHolder | undefined {
  try {
    const value: unknown = JSON.parse(holder);
    if (typeof value !== 'object' || value === null) return undefined;
    const { host, pid, start, label } = value as Partial<ProcessHolder>;
    if (typeof host !== 'string' || typeof pid !== 'number' || typeof start !== 'string') return undefined;
    return { host, pid, start, label: typeof label === 'string' ? label : '' };
  } catch {
    return undefined;
  }
}

/** Field 22 of /proc/<pid>/stat: start time in clock ticks since boot. Empty on systems without /proc. */
function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
