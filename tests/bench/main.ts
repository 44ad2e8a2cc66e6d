// Runs the figures that matter against a model server on loopback and prints a table. Medians of several runs; the floor, a bare loop of
// fetch and a spawn, is measured in turn with Hermes, so that a busy machine slows both.
//   npm run bench [-- --runs N]
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { median } from './process-stats.ts';
import { measureRounds, type RoundsFigures, type Subject } from './rounds.ts';
import { measureFirstFrame, measureNode, measureVersion } from './start.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
const runs = Math.max(1, Number(values.runs));

/** Targets of the project, for the last column. */
const TARGETS: Readonly<Record<string, string>> = {
  'hermes --version': '≤ 60 ms',
  'first request': '≤ 200 ms',
  'first frame': '≤ 400 ms',
  'round p50, 50 rounds': '≤ 5 ms',
  'round p50, 300 rounds': '≤ 5 ms',
  'peak memory, 300 rounds': '≤ 110 MB',
  'prefix kept': '100 %',
};

const rows: [name: string, value: string, floor: string][] = [];
const add = (name: string, value: number, unit: string, floor?: number) =>
  rows.push([
    name,
    `${value.toFixed(unit === 'ms' ? 1 : 0)} ${unit}`,
    floor === undefined ? '' : `${floor.toFixed(1)} ${unit}`,
  ]);

await startFigures();
for (const rounds of [5, 50, 300]) await roundFigures(rounds);
print();

async function startFigures(): Promise<void> {
  measureVersion();
  const version = await repeated(async () => measureVersion());
  add('hermes --version', median(version), 'ms', median(await repeated(async () => measureNode())));
  await measureFirstFrame();
  add('first frame', median(await repeated(measureFirstFrame)), 'ms');
}

async function roundFigures(rounds: number): Promise<void> {
  const found: Record<Subject, RoundsFigures[]> = { hermes: [], floor: [] };
  for (let run = 0; run < Math.min(runs, rounds === 300 ? 3 : runs); run++) {
    for (const subject of ['hermes', 'floor'] as const) found[subject].push(await measureRounds(subject, rounds));
  }
  const of = (subject: Subject, figure: keyof RoundsFigures) =>
    median(found[subject].map((figures) => figures[figure]));
  const both = (name: string, figure: keyof RoundsFigures, unit: string) =>
    add(name, of('hermes', figure), unit, of('floor', figure));
  if (rounds === 5) {
    both('first request', 'firstRequestMs', 'ms');
    add('first request body', of('hermes', 'firstBodyBytes'), 'B');
  }
  both(`round p50, ${rounds} rounds`, 'p50', 'ms');
  both(`round p95, ${rounds} rounds`, 'p95', 'ms');
  if (rounds === 300) {
    both('first ten of 300, p50', 'firstTenP50', 'ms');
    both('last ten of 300, p50', 'lastTenP50', 'ms');
    both('300 rounds, start to end', 'totalMs', 'ms');
    add('prefix kept', of('hermes', 'prefixShare') * 100, '%');
  }
  both(`peak memory, ${rounds} rounds`, 'peakMb', 'MB');
}

async function repeated(measure: () => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let run = 0; run < runs * 2; run++) found.push(await measure());
  return found;
}

function print(): void {
  console.log(
    `\n${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.versions.node}, medians of ${runs} runs\n`,
  );
  console.log('| figure | hermes | floor | target |\n|---|--:|--:|--:|');
  for (const [name, value, floor] of rows) console.log(`| ${name} | ${value} | ${floor} | ${TARGETS[name] ?? ''} |`);
}
