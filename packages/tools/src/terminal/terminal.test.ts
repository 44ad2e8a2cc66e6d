import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { type Clock, systemClock } from '@hermes/runtime';
import { describe, expect, test } from 'vitest';
import { TestSession } from '../testing/session.ts';
import { terminal } from './tool.ts';

/** Waits shrink to a fiftieth, so that five seconds of grace pass in a tenth. */
const hurriedClock: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * 50,
  sleep: (ms, signal) => systemClock.sleep(ms / 50, signal),
};

const lives = (pid: number) => {
  try {
    return !/\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};

const waitingShells = (parent = process.pid) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        return (
          Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('exec 99>&2')
        );
      } catch {
        return false;
      }
    })
    .map(Number);

const run = async (session: TestSession, command: string, args: object = {}, changes: object = {}) =>
  await session.call(terminal, { command, ...args }, changes);

describe('a command', () => {
  test('gives its output, both streams in order, and its exit code', async () => {
    const session = new TestSession();
    const { json, effect, preview } = await run(session, 'echo one; echo two >&2; echo three; exit 5');
    expect(json).toEqual({ output: 'one\ntwo\nthree\n', exit_code: 5, error: null });
    expect(effect).toBe('done');
    expect(preview).toBe('exit 5 · 3 lines');
  });

  test('gets the environment of the session and nothing of this process', async () => {
    const session = new TestSession({ ONLY: 'this' });
    const { json } = await run(session, 'env');
    const names = String(json['output'])
      .trim()
      .split('\n')
      .map((line) => line.replace(/=.*/u, ''));
    expect(names.sort()).toEqual(['HOME', 'LANG', 'ONLY', 'PATH', 'PWD', 'SHLVL', '_']);
  });

  test('has no input to wait for', async () => {
    const session = new TestSession();
    expect((await run(session, 'cat; read -r line; echo "read: $?"')).json['output']).toBe('read: 1\n');
  });

  test('loses colours and other control sequences, and keeps broken bytes visible', async () => {
    const session = new TestSession();
    const { json } = await run(session, String.raw`printf '\033[31mred\033[0m \xff \xc3\xa4 \033]0;t\007end'`);
    expect(json['output']).toBe('red \ufffd ä end');
  });

  test('of many lines and awkward characters arrives as it was written', async () => {
    const session = new TestSession();
    const text = `  "quotes" 'single' \\back\\ $HOME \`tick\` é😀\t${'x'.repeat(200)}\n`.repeat(300);
    const { json } = await run(session, `cat > out <<'EOF'\n${text}EOF\nwc -c < out`);
    expect(Number(json['output'])).toBe(Buffer.byteLength(text));
    expect(session.read('out')).toBe(text);
  });

  test('behaves the same in a new shell and in one that waited', async () => {
    const session = new TestSession();
    const probe =
      'echo "$0 $# $- $SHLVL $PWD ${OLDPWD-unset}"; env | sort; ls -l /proc/self/fd | wc -l; ps -o pgid= -p $$ | grep -c .';
    const first = await run(session, probe);
    await expect.poll(() => waitingShells().length).toBeGreaterThan(0);
    expect((await run(session, probe)).json).toEqual(first.json);
  });

  test('that matches its own text with pkill -f does not kill its own shell', async () => {
    const session = new TestSession();
    const { json } = await run(session, 'pkill -f some-very-unlikely-name-4711; echo "after $?"');
    expect(json['output']).toBe('after 1\n');
  });
});

describe('the working directory', () => {
  test('carries over to the next command, whatever way the command ended', async () => {
    const session = new TestSession();
    mkdirSync(session.path('a/b'), { recursive: true });
    expect((await run(session, 'cd a; exit 3')).json).toMatchObject({ exit_code: 3, cwd: session.path('a') });
    expect((await run(session, 'set -e; cd b; false; cd /')).json).toMatchObject({ cwd: session.path('a/b') });
    expect((await run(session, 'pwd')).json).toEqual({ output: `${session.path('a/b')}\n`, exit_code: 0, error: null });
    expect((await run(session, 'cd ..; echo )')).json).toMatchObject({ exit_code: 2 });
    expect((await run(session, "trap 'true' EXIT; cd ..; cat <<'X'\nhi\nX")).json).toMatchObject({ output: 'hi\n' });
    expect((await run(session, '(cd /)')).json).not.toHaveProperty('cwd');
  });

  test('can be chosen for a command and must exist', async () => {
    const session = new TestSession();
    mkdirSync(session.path('a b'));
    expect((await run(session, 'pwd', { workdir: 'a b' })).json['output']).toBe(`${session.path('a b')}\n`);
    expect((await run(session, 'pwd', { workdir: '~' })).json['output']).toBe(`${session.home}\n`);
    const { json, effect } = await run(session, 'touch made', { workdir: 'missing' });
    expect(json).toMatchObject({
      exit_code: -1,
      error: expect.stringMatching(/missing is not an existing directory/u),
    });
    expect(effect).toBe('none');
  });

  test('that was removed gives way to the nearest folder above, and says so', async () => {
    const session = new TestSession();
    mkdirSync(session.path('gone/deep'), { recursive: true });
    await run(session, 'cd gone/deep');
    rmdirSync(session.path('gone/deep'));
    rmdirSync(session.path('gone'));
    expect((await run(session, 'pwd')).json).toMatchObject({
      output: `${session.cwd}\n`,
      note: expect.stringContaining('no longer exists'),
    });
  });

  test('that was replaced by another folder of the same name is the new one', async () => {
    const session = new TestSession();
    mkdirSync(session.path('place'));
    await run(session, 'cd place');
    await expect.poll(() => waitingShells().length).toBeGreaterThan(0);
    rmdirSync(session.path('place'));
    session.write('place/new.txt', 'x');
    expect((await run(session, 'ls')).json['output']).toBe('new.txt\n');
  });
});

describe('output beyond the limit', () => {
  test('is kept as beginning and end, and memory does not grow with it', async () => {
    const session = new TestSession();
    const before = process.memoryUsage().rss;
    const { json, preview } = await run(session, 'echo first; yes 0123456789abcdef | head -c 400000000; echo last');
    const output = String(json['output']);
    expect(output.length).toBeLessThanOrEqual(50_000);
    expect(output.startsWith('first\n0123')).toBe(true);
    expect(output.endsWith('last\n')).toBe(true);
    expect(output).toMatch(/\n\n\[… 3999\d{5} of 400000011 characters left out here …\]\n\n/u);
    expect(preview).toMatch(/^exit 0 · 23529413 lines$/u);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });
});

describe('a time-out', () => {
  test('ends the whole tree and leaves the effect unknown', async () => {
    const session = new TestSession();
    const { json, effect } = await run(
      session,
      'set -m; sleep 300 & echo "$!"; bash -c "sleep 301 & echo \\$!; wait" & wait',
      { timeout: 0.3 },
    );
    expect(json).toMatchObject({ exit_code: 124, error: expect.stringMatching(/ran longer than 0.3 s/u) });
    expect(effect).toBe('unknown');
    const pids = String(json['output']).trim().split('\n').map(Number);
    expect(pids).toHaveLength(2);
    await expect.poll(() => pids.some(lives)).toBe(false);
  });

  test('kills what ignores the request to end', async () => {
    const session = new TestSession();
    const command = "trap '' TERM; echo $$; while :; do read -rt 1 < <(:); :; done";
    const { json } = await run(session, command, { timeout: 5 }, { clock: hurriedClock });
    expect(json['exit_code']).toBe(124);
    await expect.poll(() => lives(Number(json['output']))).toBe(false);
  });

  test('keeps what was printed and where the shell stood', async () => {
    const session = new TestSession();
    const { json } = await run(session, 'cd /usr; echo begun; sleep 60', { timeout: 0.3 });
    expect(json).toMatchObject({ output: 'begun\n', cwd: '/usr' });
  });

  test.each([[601], [0], [-5]])('of %d seconds is rejected with advice', async (timeout) => {
    const session = new TestSession();
    const { json, effect } = await run(session, 'touch made', { timeout });
    expect(json).toMatchObject({
      exit_code: -1,
      error: expect.stringMatching(/timeout (is at most 600|must be more than 0)/u),
    });
    expect(effect).toBe('none');
    expect(existsSync(session.path('made'))).toBe(false);
  });
});

describe('an interrupt', () => {
  test('is answered within two seconds although the command refuses to end', async () => {
    const session = new TestSession();
    const abort = new AbortController();
    const progress = () => abort.abort(new Error('stop'));
    const command = "trap '' TERM; echo $$; while :; do read -rt 1 < <(:); done";
    let started = 0;
    abort.signal.addEventListener('abort', () => {
      started = performance.now();
    });
    const { json, effect } = await run(session, command, {}, { signal: abort.signal, progress });
    expect(performance.now() - started).toBeLessThan(4500);
    expect(json).toMatchObject({ exit_code: 130, error: expect.stringMatching(/^Interrupted: .*still being ended/u) });
    expect(effect).toBe('unknown');
    process.kill(-Number(json['output']), 'SIGKILL');
  });

  test('before the start runs nothing', async () => {
    const session = new TestSession();
    const { json, effect } = await run(session, 'touch made', {}, { signal: AbortSignal.abort() });
    expect(json).toMatchObject({ exit_code: -1, error: expect.stringContaining('interrupted before it began') });
    expect(effect).toBe('none');
    expect(existsSync(session.path('made'))).toBe(false);
  });
});

describe('a process left behind (acceptance 28)', () => {
  test('that keeps the output open does not hold the call', async () => {
    const session = new TestSession();
    const started = performance.now();
    const { json } = await run(session, 'sleep 30 & echo "$!"; kill -0 "$!" && echo running');
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(String(json['output'])).toMatch(/^\d+\nrunning\n$/u);
    process.kill(Number.parseInt(String(json['output']), 10));
  });

  test('that prints without pause does not hold it either, and lives on', async () => {
    const session = new TestSession();
    const started = performance.now();
    const { json } = await run(session, '(while :; do echo noise; done) & echo "pid=$!"');
    expect(performance.now() - started).toBeLessThan(10_000);
    const pid = Number(/pid=(\d+)/u.exec(String(json['output']))?.[1]);
    expect(lives(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
  });
});

describe('the shell that waits for the next command', () => {
  test('is replaced by a new one when it has died', async () => {
    const session = new TestSession();
    const others = new Set(waitingShells());
    await run(session, 'true');
    await expect.poll(() => waitingShells().filter((pid) => !others.has(pid)).length).toBe(1);
    for (const pid of waitingShells()) if (!others.has(pid)) process.kill(pid, 'SIGKILL');
    await expect.poll(() => waitingShells().filter((pid) => !others.has(pid)).length).toBe(0);
    expect((await run(session, 'echo still here')).json).toMatchObject({ output: 'still here\n', exit_code: 0 });
  });

  test('ends with the session', async () => {
    const session = new TestSession();
    const others = new Set(waitingShells());
    await run(session, 'true');
    const own = () => waitingShells().filter((pid) => !others.has(pid));
    await expect.poll(() => own().length).toBe(1);
    session.state.close();
    await expect.poll(() => own().length).toBe(0);
  });

  test('neither keeps its process from ending nor outlives a process that is killed', async () => {
    const session = new TestSession();
    const tool = new URL('./tool.ts', import.meta.url).href;
    const state = new URL('../testing/one-command.ts', import.meta.url).href;
    const program = `const { runOnce } = await import(${JSON.stringify(state)}); const { terminal } = await import(${JSON.stringify(tool)}); await runOnce(terminal, ${JSON.stringify(session.cwd)}); console.log('ran');`;
    const start = (rest: string) =>
      spawn(process.execPath, ['--input-type=module', '-e', program + rest], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ending = start('');
    expect((await once(ending, 'exit'))[0]).toBe(0);
    const killed = start('setInterval(() => {}, 1000);');
    await once(killed.stdout, 'data');
    const spare = () => waitingShells(killed.pid);
    await expect.poll(() => spare().length).toBe(1);
    const [pid = 0] = spare();
    killed.kill('SIGKILL');
    await expect.poll(() => lives(pid)).toBe(false);
  });
});

describe('what is not run', () => {
  test.each([
    ['sleep 5 &', /ends in "&"/u],
    ['npm start & # go', /ends in "&"/u],
    ['(sleep 5 &)', /ends in "&"/u],
    ['bash -c "sleep 5 &"', /ends in "&"/u],
    ['nohup server', /"nohup" would leave a process behind/u],
    ['sudo nohup server', /nohup/u],
    ['sleep 1 & disown; true', /disown/u],
    ['setsid -f server', /setsid/u],
  ])('%s, with advice', async (command, error) => {
    const session = new TestSession();
    const { json, effect } = await run(session, command);
    expect(json).toMatchObject({ output: '', exit_code: -1, error: expect.stringMatching(error) });
    expect(String(json['error'])).toContain('no background mode');
    expect(effect).toBe('none');
  });

  test.each(['a && b', 'echo "&"', 'cmd >&2', 'sleep 0 & wait', 'grep nohup f', 'echo setsid', 'cmd &> out'])(
    '%s is not mistaken for background work',
    async (command) => {
      const session = new TestSession();
      expect((await run(session, command)).json['error']).toBeNull();
    },
  );

  test.each([{ background: true }, { pty: true }])('modes that do not exist: %o', async (mode) => {
    const session = new TestSession();
    expect((await run(session, 'true', mode)).json).toMatchObject({
      exit_code: -1,
      error: expect.stringContaining('no background and no pty'),
    });
  });

  test('the catalogue of 12.1, whose refusal names its class (acceptance 17)', async () => {
    const session = new TestSession();
    const { json, effect } = await run(session, 'touch made; sudo rm -rf /');
    expect(json).toMatchObject({ exit_code: -1, approved: false, category: 'system_wipe', outcome: 'blocked' });
    expect(effect).toBe('none');
    expect(existsSync(session.path('made'))).toBe(false);
  });

  test.each([
    ['   ', /is empty/u],
    ['echo \0', /NUL/u],
    ["echo 'open", /single quote .* is never closed/u],
  ])('%j, which no shell could run', async (command, error) => {
    const session = new TestSession();
    expect((await run(session, command)).json).toMatchObject({ exit_code: -1, error: expect.stringMatching(error) });
  });
});

describe('exit_code_meaning', () => {
  test.each([
    ['grep nothing /dev/null', 1, 'grep: no lines matched (not an error)'],
    ['cd /tmp && grep nothing /dev/null', 1, 'grep: no lines matched (not an error)'],
    ['cat /dev/null | grep x', 1, 'grep: no lines matched (not an error)'],
    ['diff <(echo a) <(echo b) >/dev/null', 1, 'diff: the inputs differ (not an error)'],
    ['test -e /nowhere', 1, 'test: the condition is false (not an error)'],
    ['[ -e /nowhere ]', 1, '[: the condition is false (not an error)'],
    ['timeout 0.05 sleep 5', 124, 'timeout: the inner command ran out of its time'],
    ['no-such-program-here', 127, 'command not found'],
    ['/etc/passwd', 126, 'found but not executable'],
    ['bash -c "kill -9 \\$\\$"', 137, 'killed (SIGKILL), often because memory ran out'],
    ['kill -9 $$', 137, 'killed (SIGKILL), often because memory ran out'],
  ])('%s', async (command, code, meaning) => {
    const session = new TestSession();
    expect((await run(session, command)).json).toMatchObject({
      exit_code: code,
      exit_code_meaning: meaning,
      error: null,
    });
  });

  test.each(['exit 1', 'make-nothing() { return 1; }; make-nothing && grep x f', 'true'])(
    'is silent when it is not known: %s',
    async (command) => {
      const session = new TestSession();
      expect((await run(session, command)).json).not.toHaveProperty('exit_code_meaning');
    },
  );
});

test('live output shows the last lines, ten times a second at most', async () => {
  const session = new TestSession();
  await run(session, 'for i in {1..60}; do echo "line $i"; read -rt 0.01 < <(sleep 0.01); done');
  expect(session.reports.length).toBeGreaterThan(2);
  expect(session.reports.length).toBeLessThan(20);
  for (const report of session.reports) expect(report.split('\n').length).toBeLessThanOrEqual(5);
  expect(session.reports.at(-1)).toMatch(/line \d+$/u);
});
