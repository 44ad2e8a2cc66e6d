import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TestSession } from '../testing/session.ts';
import { isRefusal } from './open-file.ts';
import { refuseRead, refuseWrite, resolvePath } from './path-rules.ts';
import { changedSinceRead, noteRead, noteWrite } from './read-tracker.ts';
import { encodeText } from './text-encoding.ts';
import { readTextFile, type TextFile, writeTextFile } from './text-file.ts';
import { unifiedDiff } from './unified-diff.ts';

async function real(session: TestSession, path: string): Promise<string> {
  const place = await resolvePath(session.context(), path);
  if ('error' in place) throw new Error(place.error);
  return place.real;
}

async function text(path: string): Promise<TextFile> {
  const file = await readTextFile(path, 1_000_000);
  if (isRefusal(file)) throw new Error(file.error);
  return file;
}

describe('a path', () => {
  test('begins at the working directory of the session, or at the home of its programs', async () => {
    const session = new TestSession();
    expect(await real(session, 'a/../b.txt')).toBe(session.path('b.txt'));
    expect(await real(session, '~/b.txt')).toBe(join(session.home, 'b.txt'));
    expect(await real(session, '~')).toBe(session.home);
  });

  test('is followed through links, also where the end does not exist yet', async () => {
    const session = new TestSession();
    mkdirSync(session.path('real'));
    symlinkSync('real', session.path('link'));
    symlinkSync(join(session.home, '.ssh/authorized_keys'), session.path('innocent.txt'));
    expect(await real(session, 'link/deep/new.txt')).toBe(session.path('real/deep/new.txt'));
    expect(await real(session, 'innocent.txt')).toBe(join(session.home, '.ssh/authorized_keys'));
  });

  test('that can name no file is an error', async () => {
    const session = new TestSession();
    const ctx = session.context();
    symlinkSync('b', session.path('a'));
    symlinkSync('a', session.path('b'));
    session.write('file', '');
    expect(await resolvePath(ctx, '')).toMatchObject({ error: expect.stringContaining('empty') });
    expect(await resolvePath(ctx, 'a\0b')).toMatchObject({ error: expect.stringContaining('NUL') });
    expect(await resolvePath(ctx, '\\\\.\\pipe\\x')).toMatchObject({ error: expect.stringContaining('device') });
    expect(await resolvePath(ctx, 'a')).toMatchObject({ error: expect.stringContaining('circle') });
    expect(await resolvePath(ctx, 'a/x')).toMatchObject({ error: expect.stringContaining('circle') });
    expect(await resolvePath(ctx, 'file/x')).toMatchObject({ error: expect.stringContaining('not a directory') });
    expect(await resolvePath(ctx, 'x'.repeat(300))).toMatchObject({ error: expect.stringContaining('too long') });
  });
});

describe('path rules', () => {
  const both = [
    '~/.ssh/id_ed25519 ~/.ssh/new/key ~/.aws/credentials ~/.netrc ~/.gnupg/x ~/.kube/config',
    '~/.config/gh/hosts.yml ~/.npmrc ~/.git-credentials .env .env.local deep/.envrc .ENV ~/.hermes/.env',
    '~/.hermes/config.yaml ~/.hermes/auth.json ~/.hermes/profiles/work/auth.json ~/.hermes/state.db',
    '~/.hermes/mcp-tokens/a.json ~/.hermes/skills/.hub/x /dev/sda /dev/tty /proc/1/environ',
    '/sys/power/state /etc/shadow /etc/sudoers.d/x',
  ].flatMap((line) => line.split(' '));
  test.each(both)('keep %s from being read and written', async (path) => {
    const session = new TestSession();
    const place = await real(session, path);
    expect(refuseRead(session.context(), place)).toMatch(/^Refused/u);
    expect(refuseWrite(session.context(), place)).toMatch(/^Refused/u);
  });

  const readable = ['~/.ssh/config', '~/.ssh/id_ed25519.pub', '/etc/passwd', '.npmrc', '~/.hermes/sessions/a.jsonl'];
  test.each(readable)('let %s be read and not written', async (path) => {
    const session = new TestSession();
    const place = await real(session, path);
    expect(refuseRead(session.context(), place)).toBeUndefined();
    expect(refuseWrite(session.context(), place)).toMatch(/^Refused/u);
  });

  const free = [
    'src/a.ts .env.example env config.yaml ~/.sshx /etc/hosts /dev/shm/x ~/notes.md',
    '~/.hermes/skills/mine/SKILL.md ~/.hermes/cache/spillover/a.txt ~/.hermes/memories/USER.md',
  ].flatMap((line) => line.split(' '));
  test.each(free)('let %s be read and written', async (path) => {
    const session = new TestSession();
    const place = await real(session, path);
    expect(refuseRead(session.context(), place)).toBeUndefined();
    expect(refuseWrite(session.context(), place)).toBeUndefined();
  });

  test('cover a home named by HERMES_HOME, and its profiles, also through a link', async () => {
    const session = new TestSession();
    mkdirSync(session.path('state/profiles/work'), { recursive: true });
    symlinkSync('state', session.path('link'));
    const ctx = session.context({
      childEnv: { HOME: session.home, HERMES_HOME: session.path('link/profiles/work') },
    });
    for (const name of [
      'state/auth.json',
      'link/config.yaml',
      'link/profiles/other/.env',
      'state/profiles/work/auth.json',
    ])
      expect(refuseWrite(ctx, await real(session, name))).toMatch(/^Refused/u);
  });

  test('keep writes within HERMES_WRITE_SAFE_ROOT and let everything be read', () => {
    const session = new TestSession();
    const ctx = session.context({ childEnv: { HOME: session.home, HERMES_WRITE_SAFE_ROOT: session.cwd } });
    expect(refuseWrite(ctx, session.path('a'))).toBeUndefined();
    expect(refuseWrite(ctx, join(session.root, 'a'))).toContain('HERMES_WRITE_SAFE_ROOT');
    expect(refuseRead(ctx, join(session.root, 'a'))).toBeUndefined();
  });
});

describe('the read tracker', () => {
  test('tells files unread, same and changed apart by what they hold', async () => {
    const session = new TestSession();
    const ctx = session.context();
    const path = session.write('a.txt', 'one');
    expect(await changedSinceRead(ctx, path)).toBe('unread');
    noteRead(ctx, path, (await text(path)).stamp);
    expect(await changedSinceRead(ctx, path)).toBe('same');
    utimesSync(path, 1, 1);
    expect(await changedSinceRead(ctx, path)).toBe('same');
    session.write('a.txt', 'two');
    expect(await changedSinceRead(ctx, path)).toBe('changed');
    noteWrite(ctx, path, (await writeTextFile(path, 'six', 'utf8')).stamp);
    expect(await changedSinceRead(ctx, path)).toBe('same');
    rmSync(path);
    expect(await changedSinceRead(ctx, path)).toBe('changed');
  });

  test('compares large files by size and time', async () => {
    const session = new TestSession();
    const ctx = session.context();
    const path = session.write('a.txt', 'x');
    utimesSync(path, 100, 100);
    noteRead(ctx, path, { size: 1, mtimeMs: 100_000 });
    expect(await changedSinceRead(ctx, path)).toBe('same');
    utimesSync(path, 200, 200);
    expect(await changedSinceRead(ctx, path)).toBe('changed');
  });
});

describe('a text file', () => {
  const kinds = [
    { encoding: 'utf8', eol: '\n', body: 'ä\nb\n', final: true },
    { encoding: 'utf8-bom', eol: '\r\n', body: 'ä\r\nb', final: false },
    { encoding: 'utf16le', eol: 'mixed', body: 'ä\r\nb\n', final: true },
    { encoding: 'utf16be', eol: 'none', body: '😀', final: false },
  ] as const;
  test.each(kinds)('in $encoding is read and written back byte for byte', async ({ encoding, eol, body, final }) => {
    const session = new TestSession();
    const bytes = encodeText(body, encoding);
    const path = session.write('a.txt', bytes);
    const file = await text(path);
    expect(file).toMatchObject({ text: body, encoding, eol, finalNewline: final });
    await writeTextFile(path, file.text, file.encoding);
    expect(session.bytes('a.txt').equals(bytes)).toBe(true);
  });

  test('that is missing is answered with files of a like name', async () => {
    const session = new TestSession();
    session.write('config.ts', '');
    session.write('settings.json', '');
    expect(await readTextFile(session.path('confg.ts'), 10)).toMatchObject({
      kind: 'missing',
      similar: [session.path('config.ts')],
    });
    expect(await readTextFile(session.path('settings.yaml'), 10)).toMatchObject({
      similar: [session.path('settings.json')],
    });
    expect(await readTextFile(session.path('no/such'), 10)).toMatchObject({ kind: 'missing' });
  });

  test('is refused when it is binary, not valid, too big or a directory', async () => {
    const session = new TestSession();
    const cases = [
      ['a.bin', Buffer.from([1, 0, 2]), 'binary'],
      ['a.png', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'binary'],
      ['a.pdf', '%PDF-1.7 text', 'binary'],
      ['latin1.txt', Buffer.from([0x61, 0xe4, 0x62]), 'not_utf8'],
      ['big.txt', 'x'.repeat(101), 'too_big'],
    ] as const;
    for (const [name, content, kind] of cases)
      expect(await readTextFile(session.write(name, content), 100), name).toMatchObject({ kind });
    expect(await readTextFile(session.cwd, 100)).toMatchObject({ kind: 'directory' });
    expect(await text(session.write('notes.dat', 'plain text ä'))).toMatchObject({ text: 'plain text ä' });
  });
});

describe('a diff for the screen', () => {
  test('shows a change, a new and a removed file, and nothing for no change', async () => {
    expect(await unifiedDiff('a', 'one\n', 'two\n')).toBe('--- a\n+++ a\n@@ -1,1 +1,1 @@\n-one\n+two\n');
    expect(await unifiedDiff('a', undefined, 'two\n')).toContain('--- /dev/null\n+++ a\n');
    expect(await unifiedDiff('a', 'one\n', undefined)).toContain('+++ /dev/null\n');
    expect(await unifiedDiff('a', 'one\n', 'one\n')).toBeUndefined();
  });

  test('is given up when it would be larger than anyone reads', async () => {
    expect(await unifiedDiff('a', '', 'line of text\n'.repeat(20_000))).toBeUndefined();
  });
});

// A file that is written by its test, so that linking to it can be seen.
test('writing through a link keeps the link', async () => {
  const session = new TestSession();
  writeFileSync(session.path('target'), 'old', { mode: 0o640 });
  symlinkSync('target', session.path('link'));
  const place = await real(session, 'link');
  expect(place).toBe(session.path('target'));
  await writeTextFile(place, 'new', 'utf8');
  expect(session.read('link')).toBe('new');
});
