import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'vitest';
import { TestSession } from '../testing/session.ts';
import { terminal } from './tool.ts';

/** A model takes at least this long between two commands; usually a hundred times as long. */
const THINKING_MS = 30;

/** What a command costs at least when bash is started for it. */
async function bareBash(command: string): Promise<string> {
  const child = spawn('/bin/bash', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  await once(child, 'close');
  return output;
}

const options = { iterations: 100, time: 0, warmupIterations: 10, warmupTime: 0 };

for (const command of ['true', 'echo hi', 'ls']) {
  test(`from call to result: ${command}`, { timeout: 120_000 }, async ({ bench }) => {
    const session = new TestSession();
    const think = { beforeEach: () => delay(THINKING_MS) };
    await bench.compare(
      bench('bash started by child_process.spawn', think, async () => void (await bareBash(command))),
      bench('terminal, next command of a session', think, async () => void (await session.call(terminal, { command }))),
      bench('terminal, first command of a session', think, async () => {
        const first = new TestSession();
        await first.call(terminal, { command });
        first.state.close();
      }),
      options,
    );
  });
}

test('a command that prints 100 MB', { timeout: 120_000 }, async ({ bench }) => {
  const session = new TestSession();
  const command = 'yes 0123456789abcdef0123456789abcdef | head -c 100000000';
  await bench.compare(
    bench(
      'thrown away by the shell',
      async () => void (await session.call(terminal, { command: `${command} >/dev/null` })),
    ),
    bench('captured', async () => void (await session.call(terminal, { command }))),
    { iterations: 5, time: 0, warmupIterations: 1, warmupTime: 0 },
  );
});
