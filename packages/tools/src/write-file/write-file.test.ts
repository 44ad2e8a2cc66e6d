import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFile } from '../read-file/tool.ts';
import { TestSession } from '../testing/session.ts';
import { writeFile } from './tool.ts';

describe('write_file', () => {
  test('creates a file with its folders and shows what is new', async () => {
    const session = new TestSession();
    const { json, effect, preview, diff } = await session.call(writeFile, { path: 'new/deep/ä.txt', content: 'ä\n' });
    expect(json).toEqual({ success: true, path: session.path('new/deep/ä.txt'), bytes_written: 3, created: true });
    expect(session.read('new/deep/ä.txt')).toBe('ä\n');
    expect([effect, preview]).toEqual(['done', 'created · 3 bytes']);
    expect(diff).toContain('--- /dev/null\n+++ new/deep/ä.txt\n');
    expect(readdirSync(session.path('new/deep'))).toEqual(['ä.txt']);
  });

  test('replaces a file and keeps its mode', async () => {
    const session = new TestSession();
    chmodSync(session.write('run.sh', 'old\n'), 0o751);
    const { json, diff } = await session.call(writeFile, { path: 'run.sh', content: 'new\n' });
    expect(json).toMatchObject({ created: false, bytes_written: 4 });
    expect(statSync(session.path('run.sh')).mode & 0o777).toBe(0o751);
    expect(diff).toContain('-old\n+new\n');
  });

  test('keeps line ends, byte order mark and encoding of the file it replaces', async () => {
    const session = new TestSession();
    session.write('crlf.txt', 'a\r\nb\r\n');
    session.write('unix.txt', 'a\nb\n');
    session.write('bom.txt', '\uFEFFa\n');
    session.write('wide.txt', Buffer.from('\uFEFFa\r\n', 'utf16le'));
    session.write('mixed.txt', 'a\r\nb\n');
    for (const path of ['crlf.txt', 'bom.txt', 'wide.txt', 'mixed.txt'])
      await session.call(writeFile, { path, content: 'x\ny\n' });
    await session.call(writeFile, { path: 'unix.txt', content: 'x\r\ny\r\n' });
    expect(session.read('crlf.txt')).toBe('x\r\ny\r\n');
    expect(session.read('unix.txt')).toBe('x\ny\n');
    expect(session.read('bom.txt')).toBe('\uFEFFx\ny\n');
    expect(session.bytes('wide.txt').equals(Buffer.from('\uFEFFx\r\ny\r\n', 'utf16le'))).toBe(true);
    expect(session.read('mixed.txt')).toBe('x\ny\n');
  });

  test('writes a new file exactly as given', async () => {
    const session = new TestSession();
    await session.call(writeFile, { path: 'a.txt', content: 'x\r\ny' });
    await session.call(writeFile, { path: 'empty.txt', content: '' });
    expect([session.read('a.txt'), session.read('empty.txt')]).toEqual(['x\r\ny', '']);
  });

  test('refuses content that is no text and leaves the file alone', async () => {
    const session = new TestSession();
    session.write('a.txt', 'kept');
    for (const args of [{ content: null }, { content: 5 }, { content: ['x'] }, { content: { a: 1 } }, {}]) {
      const { json, effect } = await session.call(writeFile, { path: 'a.txt', ...args });
      expect(json['error']).toContain('not a text');
      expect(effect).toBe('none');
    }
    expect(session.read('a.txt')).toBe('kept');
  });

  test('warns when the file was changed behind the back of the session, and not after its own writes', async () => {
    const session = new TestSession();
    session.write('a.txt', 'one\n');
    await session.call(readFile, { path: 'a.txt' });
    expect((await session.call(writeFile, { path: 'a.txt', content: 'two\n' })).json).not.toHaveProperty('_warning');
    expect((await session.call(writeFile, { path: 'a.txt', content: 'six\n' })).json).not.toHaveProperty('_warning');
    session.write('a.txt', 'ten\n');
    const { json } = await session.call(writeFile, { path: 'a.txt', content: 'two\n' });
    expect(json).toMatchObject({ success: true, _warning: expect.stringContaining('changed by someone else') });
  });

  test('warns when a relative path leads out of the working directory', async () => {
    const session = new TestSession();
    const { json } = await session.call(writeFile, { path: '../b.txt', content: 'x' });
    expect(json['_warning']).toContain(join(session.root, 'b.txt'));
    expect((await session.call(writeFile, { path: join(session.root, 'c'), content: 'x' })).json).not.toHaveProperty(
      '_warning',
    );
  });

  test('writes through a link', async () => {
    const session = new TestSession();
    session.write('real/a.txt', 'old');
    symlinkSync('real/a.txt', session.path('link.txt'));
    symlinkSync('real/new.txt', session.path('dangling.txt'));
    await session.call(writeFile, { path: 'link.txt', content: 'new' });
    await session.call(writeFile, { path: 'dangling.txt', content: 'made' });
    expect([session.read('real/a.txt'), session.read('real/new.txt')]).toEqual(['new', 'made']);
  });

  test('refuses what may not be written, also through a link', async () => {
    const session = new TestSession();
    execFileSync('mkfifo', [session.path('pipe')]);
    mkdirSync(session.path('folder'));
    mkdirSync(join(session.home, '.ssh'));
    session.write('file', '');
    symlinkSync(join(session.home, '.ssh/authorized_keys'), session.path('innocent.txt'));
    symlinkSync('loop', session.path('loop'));
    const cases = {
      pipe: 'named pipe',
      folder: 'is a directory',
      'innocent.txt': 'Refused',
      loop: 'circle',
      'file/below.txt': 'not a directory',
      '.env': 'Refused',
      '~/.hermes/config.yaml': 'Refused',
      '/etc/passwd': 'Refused',
      '/dev/null': 'Refused',
      '': 'empty',
    };
    for (const [path, words] of Object.entries(cases)) {
      const { json, effect } = await session.call(writeFile, { path, content: 'x' });
      expect(json['error'], path).toContain(words);
      expect(effect).toBe('none');
    }
    expect(existsSync(join(session.home, '.ssh/authorized_keys'))).toBe(false);
  });

  test('writes nothing once the call is aborted', async () => {
    const session = new TestSession();
    const signal = AbortSignal.abort(new Error('interrupted'));
    const { json, effect } = await session.call(writeFile, { path: 'a.txt', content: 'x' }, { signal });
    expect([json['error'], effect]).toEqual(['Nothing was written: interrupted.', 'none']);
    expect(existsSync(session.path('a.txt'))).toBe(false);
  });

  test('replaces a binary file by text', async () => {
    const session = new TestSession();
    session.write('a.bin', Buffer.from([0, 1, 2]));
    const { json, diff } = await session.call(writeFile, { path: 'a.bin', content: 'text' });
    expect(json).toMatchObject({ success: true, created: false });
    expect(diff).toBeUndefined();
  });

  test.skipIf(process.getuid?.() === 0)('leaves a read-only file and a closed folder alone', async () => {
    const session = new TestSession();
    chmodSync(session.write('fixed.txt', 'kept'), 0o444);
    mkdirSync(session.path('closed'), { mode: 0o555 });
    for (const path of ['fixed.txt', 'closed/new.txt'])
      expect((await session.call(writeFile, { path, content: 'x' })).json['error']).toContain('permission denied');
    expect(readFileSync(session.path('fixed.txt'), 'utf8')).toBe('kept');
  });
});
