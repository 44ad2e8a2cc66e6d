import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BASH, POSIX } from './shell-script.ts';
import { ShellNotStarted, type ShellPlace, WaitingShell } from './waiting-shell.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-shell-')));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, LANG: 'C.UTF-8' };
const shells: [string, ShellPlace][] = [
  ['bash with its own pipe', { program: '/bin/bash', dialect: BASH, cwd, env }],
  ['bash spoken to in POSIX', { program: '/bin/bash', dialect: POSIX, cwd, env }],
  ['the system shell', { program: '/bin/sh', dialect: POSIX, cwd, env }],
];

async function run(place: ShellPlace, command: string) {
  const pieces: Buffer[] = [];
  const exit = await new WaitingShell(place).run(command, (bytes) => pieces.push(bytes));
  return { ...exit, output: Buffer.concat(pieces).toString() };
}

for (const [name, place] of shells) {
  test.each<[string, string, object]>([
    ['a status', 'echo a; exit 3', { code: 3, output: 'a\n', cwd }],
    [
      'both streams in the order printed',
      'echo 1; echo 2 >&2; echo 3; echo 4 >&2',
      { code: 0, output: '1\n2\n3\n4\n' },
    ],
    ['where it went', 'cd /usr/bin', { code: 0, cwd: '/usr/bin' }],
    ['where it went before an exit', 'cd /usr; exit 7', { code: 7, cwd: '/usr' }],
    ['where it went before set -e stopped it', 'set -e; cd /usr; false; cd /', { code: 1, cwd: '/usr' }],
    ['a subshell that does not move it', '(cd /usr); pwd', { code: 0, output: `${cwd}\n`, cwd }],
    [
      'where it went although the command has its own EXIT trap',
      "trap 'echo bye' EXIT; cd /usr; false",
      { code: 1, output: 'bye\n', cwd: '/usr' },
    ],
    ['a failing last command', 'true; false', { code: 1 }],
    ['a here-document', "cat <<'EOF'\n$HOME \"x\" 'y'\nEOF\n", { code: 0, output: '$HOME "x" \'y\'\n' }],
    ['a here-document that never ends', 'cat <<EOF\nline', { code: 0, output: expect.stringContaining('line') }],
    ['text as it was written', "printf '%s|' '  a\\nb\t' \"é😀\"", { code: 0, output: '  a\\nb\t|é😀|' }],
    ['an input that is empty', 'cat; read -r x; echo "$?"', { code: 0, output: '1\n' }],
    ['a trace without lines of its own', 'set -x; true', { code: 0, output: expect.stringMatching(/^\++ true\n$/u) }],
    ['verbose mode without lines of its own', 'set -v; true', { code: 0, output: '' }],
    ['a program that replaces the shell', 'cd /usr; exec sh -c "exit 4"', { code: 4, cwd: undefined }],
    ['the death of the shell', 'kill -9 $$', { code: null, signal: 'SIGKILL' }],
    [
      'unset variables',
      'set -u; echo "${nothing:-none}"; echo $nothing',
      { output: expect.stringMatching(/^none\n.*nothing/u) },
    ],
  ])(`${name} reports %s`, async (_, command, expected) => {
    expect(await run(place, command)).toMatchObject(expected);
  });

  test(`${name} reports a syntax error as the shell does`, async () => {
    const { code, output } = await run(place, 'echo before\necho )');
    expect(code).toBe(2);
    expect(output).toMatch(/syntax error/iu);
  });

  test(`${name} takes a command of a hundred thousand bytes`, async () => {
    const text = 'zeile ü\n'.repeat(12_000);
    const { output } = await run(place, `wc -c <<'EOF'\n${text}EOF`);
    expect(Number(output)).toBe(Buffer.byteLength(text));
  });

  test(`${name} leads its own process group and session`, async () => {
    const { output } = await run(place, 'ps -o pid=,pgid=,sid= -p $$');
    expect(new Set(output.trim().split(/\s+/u)).size).toBe(1);
  });

  test(`${name} runs nothing when its owner goes away`, async () => {
    const shell = new WaitingShell(place);
    const { pid } = shell;
    shell.discard();
    await expect.poll(() => existsSync(`/proc/${String(pid)}`)).toBe(false);
    expect(shell.fits(place)).toBe(false);
  });
}

test('a shell that waited behaves like bash started for the command', async () => {
  const probe =
    'env | grep -v "^_=" | sort; echo "$0 $# $- $SHLVL $PWD ${OLDPWD-unset} $LINENO"; shopt -p; set -o; trap; ulimit -a; umask; jobs; echo end';
  const place: ShellPlace = { program: '/bin/bash', dialect: BASH, cwd, env };
  const waited = new WaitingShell(place);
  const { output: plain } = await run(place, `bash -c '${probe}' bash | sed "s/ 2 / 1 /"`);
  let output = '';
  await waited.run(probe, (bytes) => {
    output += bytes.toString();
  });
  const own = output.split('\n').filter((line) => !line.startsWith('trap -- '));
  expect(own.map((line) => line.replace(/^SHLVL=.*/u, 'SHLVL'))).toEqual(
    plain.split('\n').map((line) => line.replace(/^SHLVL=.*/u, 'SHLVL')),
  );
});

test('the output of bash can be opened by name', async () => {
  const place: ShellPlace = { program: '/bin/bash', dialect: BASH, cwd, env };
  const { output } = await run(place, 'echo a >/dev/stdout; echo b >/dev/stderr; echo c | tee /dev/stderr');
  expect(output).toBe('a\nb\nc\nc\n');
});

test('a shell fits only its own folder and environment', async () => {
  const place: ShellPlace = { program: '/bin/bash', dialect: BASH, cwd, env };
  const shell = new WaitingShell(place);
  expect(shell.fits({ ...place, env: { ...env } })).toBe(true);
  expect(shell.fits({ ...place, env: { ...env, EXTRA: '1' } })).toBe(false);
  expect(shell.fits({ ...place, env: { ...env, LANG: 'C' } })).toBe(false);
  expect(shell.fits({ ...place, cwd: '/' })).toBe(false);
  shell.discard();
});

test('a shell that is not there is an error that names it, and nothing runs', async () => {
  const place: ShellPlace = { program: '/nowhere/bash', dialect: BASH, cwd, env };
  await expect(run(place, 'touch /tmp/never')).rejects.toThrow(ShellNotStarted);
  await expect(run(place, 'true')).rejects.toThrow(/\/nowhere\/bash could not be started/u);
});
