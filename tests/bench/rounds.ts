import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type RequestRecord, roundsScript, sharedPrefixBytes, startModelServer } from '@hermes/model-server';
import { LAUNCHER, Sandbox } from '../support/hermes.ts';
import { median, peakMemoryMb, quantile } from './process-stats.ts';

const FLOOR = fileURLToPath(new URL('./floor.ts', import.meta.url));

/** Figures of one run of a turn of so many tool rounds. Times in milliseconds. */
export interface RoundsFigures {
  readonly firstRequestMs: number;
  /** Time from the end of a model response to the arrival of the next request, starting the command included. */
  readonly p50: number;
  readonly p95: number;
  readonly firstTenP50: number;
  readonly lastTenP50: number;
  readonly totalMs: number;
  readonly peakMb: number;
  /** Bytes of each request that repeat the one before, of those that could. */
  readonly prefixShare: number;
  readonly firstBodyBytes: number;
}

export type Subject = 'hermes' | 'floor';

/** Runs one turn in a process of its own against a model server that answers at once. */
export async function measureRounds(subject: Subject, rounds: number): Promise<RoundsFigures> {
  const server = await startModelServer({
    script: roundsScript({ rounds, tool: 'terminal', arguments: JSON.stringify({ command: 'true' }) }),
  });
  const box = new Sandbox();
  box.configure(server.url);
  await box.warm();
  const started = performance.now();
  const child =
    subject === 'hermes' ? hermes(box, rounds) : spawn(process.execPath, [FLOOR, server.url], { stdio: 'ignore' });
  const peak = watchPeak(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  const totalMs = performance.now() - started;
  const { requests } = server;
  await server.close();
  box.remove();
  if (code !== 0 || requests.length !== rounds + 1) {
    throw new Error(`${subject} with ${rounds} rounds ended with ${code} after ${requests.length} requests`);
  }
  const gaps = gapsBetween(requests);
  return {
    firstRequestMs: (requests[0]?.arrivedAt ?? Number.NaN) - started,
    p50: median(gaps),
    p95: quantile(gaps, 0.95),
    firstTenP50: median(gaps.slice(0, 10)),
    lastTenP50: median(gaps.slice(-10)),
    totalMs,
    peakMb: peak(),
    prefixShare: prefixShare(requests),
    firstBodyBytes: Buffer.byteLength(requests[0]?.raw ?? ''),
  };
}

function hermes(box: Sandbox, rounds: number): ChildProcess {
  return spawn(LAUNCHER, ['-z', 'go', '--max-turns', String(rounds + 5)], {
    cwd: box.project,
    env: { PATH: process.env.PATH ?? '', HOME: box.dir, HERMES_HOME: box.home, LANG: 'C.UTF-8' },
    stdio: 'ignore',
  });
}

function watchPeak(child: ChildProcess): () => number {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakMemoryMb(child.pid ?? 0) ?? 0);
  }, 10);
  child.once('exit', () => clearInterval(timer));
  return () => peak;
}

function gapsBetween(requests: readonly RequestRecord[]): number[] {
  return requests.slice(1).map((request, index) => request.arrivedAt - (requests[index]?.endedAt ?? Number.NaN));
}

/** Whether each request holds all messages of the one before at its beginning: 1 when all of them do. */
function prefixShare(requests: readonly RequestRecord[]): number {
  const shares = requests.slice(1).map((request, index) => {
    const before = requests[index]?.raw ?? '';
    const end = Buffer.byteLength(before.slice(0, lastMessageEnd(before)));
    return Math.min(1, sharedPrefixBytes(before, request.raw) / end);
  });
  return Math.min(1, ...shares);
}

/** End of the last message in a body, whatever field comes after the messages. */
function lastMessageEnd(body: string): number {
  const { messages } = JSON.parse(body) as { messages: unknown[] };
  const last = JSON.stringify(messages.at(-1));
  return body.lastIndexOf(last) + last.length;
}
