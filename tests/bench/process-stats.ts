import { readFileSync } from 'node:fs';

/** Largest resident memory of a running process so far, in MB; undefined when it has ended or the system does not tell. */
export function peakMemoryMb(pid: number): number | undefined {
  try {
    const line = /^VmHWM:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line ? Number(line[1]) / 1024 : undefined;
  } catch {
    return undefined;
  }
}

/** The value below which a share `q` of the numbers lies. */
export function quantile(numbers: readonly number[], q: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export const median = (numbers: readonly number[]) => quantile(numbers, 0.5);
