import { chmodSync, existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { noteRead } from '../files/read-tracker.ts';
import { readTextFile } from '../files/text-file.ts';
import { TestSession } from '../testing/session.ts';
import { patch } from './tool.ts';

/** Calls the tool in replace mode. */
function replace(session: TestSession, path: string, oldText: string, newText: string) {
  return session.call(patch, { path, old_string: oldText, new_string: newText });
}

function applyPatch(session: TestSession, ...lines: readonly string[]) {
  return session.call(patch, { mode: 'patch', patch: lines.join('\n') });
}

it('describes itself in less than 1.6 KB', () => {
  const { name, description, parameters } = patch;
  expect(JSON.stringify({ name, description, parameters }).length).toBeLessThan(1_600);
});

it('replaces a text, keeps mode, BOM and line ends, and shows the diff', async () => {
  const session = new TestSession();
  const path = session.write('src/a.ts', '\uFEFFone\r\ntwo\r\nthree');
  chmodSync(path, 0o755);
  const { json, preview, diff, effect } = await replace(session, 'src/a.ts', 'one\ntwo', 'one\n2\n2b');
  expect(json).toMatchObject({
    success: true,
    files_modified: [path],
    files_created: [],
    files_deleted: [],
    strategy: 'exact',
    exact: true,
    lines: ['1-3'],
    replacements: 1,
  });
  expect(json['_warning']).toBeUndefined();
  expect(json['diff']).toBe(diff);
  expect(diff).toContain('--- src/a.ts');
  expect(preview).toBe('+2 −1 src/a.ts');
  expect(effect).toBe('done');
  expect(session.bytes('src/a.ts')).toEqual(Buffer.from('\uFEFFone\r\n2\r\n2b\r\nthree'));
  expect(statSync(path).mode & 0o777).toBe(0o755);
});

it('edits UTF-16 files in their encoding', async () => {
  const session = new TestSession();
  session.write('a.txt', Buffer.from('\uFEFFone\r\ntwo', 'utf16le'));
  await replace(session, 'a.txt', 'two', '2');
  expect(session.bytes('a.txt')).toEqual(Buffer.from('\uFEFFone\r\n2', 'utf16le'));
});

it('warns of an edit that was not found exactly', async () => {
  const session = new TestSession();
  session.write('a.txt', 'say “hi”\n');
  const { json } = await replace(session, 'a.txt', 'say "hi"', 'say "hi" twice');
  expect(json).toMatchObject({ success: true, strategy: 'unicode_folded', exact: false, lines: ['1'] });
  expect(json['_warning']).toContain('unicode_folded');
  expect(session.read('a.txt')).toBe('say “hi” twice\n');
});

it('refuses such an edit when the file changed on disk after it was read; an exact one goes through', async () => {
  const session = new TestSession();
  const path = session.write('a.txt', '  one\n  two\n');
  const file = await readTextFile(path, 1_000);
  if (!('stamp' in file)) throw new Error('unreadable');
  noteRead(session.context(), path, file.stamp);
  writeFileSync(path, '  one\n  two\n  three\n');
  const { json, effect } = await replace(session, 'a.txt', 'one\ntwo', 'one\n2');
  expect(json).toMatchObject({ reason: 'stale' });
  expect(effect).toBe('none');
  const stale = await applyPatch(session, '*** Update File: a.txt', '@@', ' one', '-two', '+2');
  expect(stale.json['error']).toContain('changed on disk');
  expect(session.read('a.txt')).toBe('  one\n  two\n  three\n');
  expect((await replace(session, 'a.txt', 'three', '3')).json).toMatchObject({ success: true, exact: true });
});

it('answers an edit that was made before with success and writes nothing', async () => {
  const session = new TestSession();
  const path = session.write('a.txt', 'limit = 10\n');
  await replace(session, 'a.txt', 'limit = 10', 'limit = 2000');
  const { mtimeMs } = statSync(path);
  const { json, effect } = await replace(session, 'a.txt', 'limit = 10', 'limit = 2000');
  expect(json).toMatchObject({ success: true, already_applied: true, files_modified: [] });
  expect(effect).toBe('none');
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
});

it('gives other advice from the second miss in a row on', async () => {
  const session = new TestSession();
  session.write('a.txt', 'beta(2)\n');
  const first = await replace(session, 'a.txt', 'beta(9)', 'x');
  expect(first.json).toMatchObject({ reason: 'not_found', closest: { line: 1 } });
  expect(first.json['_hint']).toBeUndefined();
  expect((await replace(session, 'a.txt', 'beta(9)', 'x')).json['_hint']).toContain('write_file');
  await replace(session, 'a.txt', 'beta(2)', 'gamma');
  expect((await replace(session, 'a.txt', 'beta(9)', 'x')).json['_hint']).toBeUndefined();
  await applyPatch(session, '*** Update File: a.txt', '@@', '-nowhere', '+x');
  const again = await applyPatch(session, '*** Update File: a.txt', '@@', '-nowhere', '+x');
  expect(again.json['_hint']).toContain('read_file');
});

it('says what is missing or may not be touched', async () => {
  const session = new TestSession();
  session.write('.env', 'KEY=1\n');
  session.write('image.png', Buffer.from([0, 1, 2]));
  expect((await replace(session, '.env', 'KEY=1', 'KEY=2')).json['error']).toContain('file of secrets');
  expect((await replace(session, 'image.png', 'a', 'b')).json['error']).toContain('binary');
  expect((await replace(session, 'none.txt', 'a', 'b')).json['error']).toContain('does not exist');
  expect((await session.call(patch, { path: 'a' })).json['error']).toContain('needs path, old_string and new_string');
  expect((await session.call(patch, { path: 'a', old_string: 'a', new_string: null })).json['error']).toContain(
    'needs',
  );
  expect((await session.call(patch, { mode: 'patch' })).json['error']).toContain('V4A');
  const secret = await applyPatch(session, '*** Add File: new.txt', '+x', '*** Delete File: .env');
  expect(secret.json['error']).toContain('file of secrets');
  expect(readdirSync(session.cwd).sort()).toEqual(['.env', 'image.png']);
});

it('adds, updates, moves and deletes with one patch', async () => {
  const session = new TestSession();
  session.write('a.txt', '\uFEFFone\r\ntwo\r\n');
  chmodSync(session.write('run.sh', '#!/bin/sh\n'), 0o755);
  session.write('logo.png', Buffer.from([0, 1, 2]));
  session.write('old.txt', 'old\n');
  const { json, preview, diff } = await applyPatch(
    session,
    '*** Begin Patch',
    '*** Update File: a.txt',
    '*** Move to: lib/deep/b.txt',
    '@@',
    ' one',
    '-two',
    '+2',
    '*** Add File: new.txt',
    '+hello',
    '*** Move File: run.sh -> bin/run.sh',
    '*** Move File: logo.png -> img/logo.png',
    '*** Delete File: old.txt',
    '*** End Patch',
  );
  expect(json).toMatchObject({ success: true, strategy: 'exact', exact: true, files_modified: [] });
  expect(json['files_created']).toEqual(
    ['lib/deep/b.txt', 'new.txt', 'bin/run.sh', 'img/logo.png'].map((name) => session.path(name)),
  );
  expect(json['files_deleted']).toEqual(['a.txt', 'run.sh', 'logo.png', 'old.txt'].map((name) => session.path(name)));
  expect(session.bytes('lib/deep/b.txt')).toEqual(Buffer.from('\uFEFFone\r\n2\r\n'));
  expect(statSync(session.path('bin/run.sh')).mode & 0o777).toBe(0o755);
  expect(session.bytes('img/logo.png')).toEqual(Buffer.from([0, 1, 2]));
  expect(readdirSync(session.cwd).sort()).toEqual(['bin', 'img', 'lib', 'new.txt']);
  expect(preview).toMatch(/^\+\d+ −\d+ 8 files$/);
  expect(diff).toContain('+++ lib/deep/b.txt');
});

it('swaps two files by way of a third name', async () => {
  const session = new TestSession();
  session.write('a', 'A\n');
  session.write('b', 'B\n');
  await applyPatch(session, '*** Move File: a -> c', '*** Move File: b -> a', '*** Move File: c -> b');
  expect([session.read('a'), session.read('b'), existsSync(session.path('c'))]).toEqual(['B\n', 'A\n', false]);
});

it('writes nothing when one hunk or one operation is wrong', async () => {
  const session = new TestSession();
  session.write('a.txt', 'one\n');
  session.write('b.txt', 'two\n');
  const bad = await applyPatch(
    session,
    '*** Update File: a.txt',
    '@@',
    '-one',
    '+1',
    '*** Update File: b.txt',
    '@@',
    '-none',
    '+2',
  );
  expect(bad.json['error']).toContain('Nothing was written: the patch has 1 problem');
  expect(bad.effect).toBe('none');
  const onto = await applyPatch(session, '*** Update File: a.txt', '@@', '-one', '+1', '*** Add File: b.txt', '+x');
  expect(onto.json['error']).toContain('onto an existing file');
  expect([session.read('a.txt'), session.read('b.txt')]).toEqual(['one\n', 'two\n']);
});

it('brings everything back when one write fails', async () => {
  const session = new TestSession();
  const path = session.write('a.txt', 'one\n');
  chmodSync(path, 0o600);
  // The second new file needs a folder where the patch itself has put a file.
  const { json, effect } = await applyPatch(
    session,
    '*** Update File: a.txt',
    '@@',
    '-one',
    '+1',
    '*** Add File: folder/new.txt',
    '+x',
    '*** Add File: blocked',
    '+x',
    '*** Add File: blocked/child',
    '+x',
  );
  expect(json['error']).toContain('blocked/child');
  expect(json['error']).toContain('All files are as they were');
  expect(effect).toBe('none');
  expect(session.read('a.txt')).toBe('one\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(session.cwd)).toEqual(['a.txt']);
});

it('edits through a symbolic link and does not delete what it leads to', async () => {
  const session = new TestSession();
  session.write('real.txt', 'one\n');
  symlinkSync(session.path('real.txt'), session.path('link.txt'));
  await replace(session, 'link.txt', 'one', 'two');
  expect(session.read('real.txt')).toBe('two\n');
  expect((await applyPatch(session, '*** Delete File: link.txt')).json['error']).toContain('symbolic link');
  expect(session.read('real.txt')).toBe('two\n');
});

it('stops before writing when the call was cancelled', async () => {
  const session = new TestSession();
  session.write('a.txt', 'one\n');
  const cancelled = { signal: AbortSignal.abort() };
  await expect(
    session.call(patch, { path: 'a.txt', old_string: 'one', new_string: 'two' }, cancelled),
  ).rejects.toThrow();
  expect(session.read('a.txt')).toBe('one\n');
});

it('shows its paths in one line', () => {
  expect(patch.summarize?.({ path: 'src/a.ts', old_string: 'a' })).toBe('src/a.ts');
  expect(patch.summarize?.({ patch: '*** Update File: a\n@@\n-x\n+y\n*** Move File: b -> c' })).toBe('a, b, c');
});
