import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TestSession } from '../testing/session.ts';
import { readFile } from './tool.ts';

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('read_file', () => {
  test('shows numbered lines and the size of the file', async () => {
    const session = new TestSession();
    session.write('a.txt', 'one\n\nthree');
    const { json, effect, preview } = await session.call(readFile, { path: 'a.txt' });
    expect(json).toEqual({ content: '1|one\n2|\n3|three', total_lines: 3, file_size: 10, truncated: false });
    expect([effect, preview]).toEqual(['none', '3 lines']);
  });

  test('pages with offset and limit and says where to go on', async () => {
    const session = new TestSession();
    session.write('a.txt', numbered(1200));
    const start = await session.call(readFile, { path: 'a.txt' });
    expect(start.json).toMatchObject({ total_lines: 1200, truncated: true });
    expect(start.json['hint']).toContain('offset 501');
    const middle = await session.call(readFile, { path: 'a.txt', offset: 700, limit: 2 });
    expect(middle.json['content']).toBe('700|line 700\n701|line 701');
    expect(middle.preview).toBe('lines 700-701 of 1200');
    const end = await session.call(readFile, { path: 'a.txt', offset: 1199, limit: 9999 });
    expect(end.json).toMatchObject({ content: '1199|line 1199\n1200|line 1200', truncated: false });
    const past = await session.call(readFile, { path: 'a.txt', offset: 5000 });
    expect(past.json).toMatchObject({ content: '', hint: expect.stringContaining('past the end') });
  });

  test('says that a file is empty', async () => {
    const session = new TestSession();
    session.write('a.txt', '');
    const { json } = await session.call(readFile, { path: 'a.txt' });
    expect(json).toMatchObject({ content: '', total_lines: 0, hint: 'The file is empty.' });
  });

  test('shows CRLF, byte order marks and UTF-16 as plain text and says so', async () => {
    const session = new TestSession();
    session.write('crlf.txt', 'a\r\nb\r\n');
    session.write('bom.txt', '\uFEFFa\nb\n');
    session.write('wide.txt', Buffer.from('\uFEFFä😀\r\nb', 'utf16le'));
    session.write('big-endian.txt', Buffer.from('\uFEFFä😀\nb', 'utf16le').swap16());
    expect((await session.call(readFile, { path: 'crlf.txt' })).json).toMatchObject({
      content: '1|a\n2|b',
      hint: expect.stringContaining('CRLF'),
    });
    expect((await session.call(readFile, { path: 'bom.txt' })).json).toMatchObject({ content: '1|a\n2|b' });
    for (const path of ['wide.txt', 'big-endian.txt'])
      expect((await session.call(readFile, { path })).json).toMatchObject({
        content: '1|ä😀\n2|b',
        total_lines: 2,
        hint: expect.stringContaining('UTF16'),
      });
  });

  test('shows bytes that are no UTF-8 with a note', async () => {
    const session = new TestSession();
    session.write('latin1.txt', Buffer.from([0x61, 0xe4, 0x62, 0x0a]));
    expect((await session.call(readFile, { path: 'latin1.txt' })).json).toMatchObject({
      content: '1|a\uFFFDb',
      hint: expect.stringContaining('no valid UTF-8'),
    });
  });

  test('cuts long lines and refuses more text than fits, naming what fits', async () => {
    const session = new TestSession();
    session.write('long.txt', `${'ä'.repeat(5000)}\nshort\n`);
    const { json } = await session.call(readFile, { path: 'long.txt' });
    expect(json['content']).toBe(`1|${'ä'.repeat(2000)}… [line cut at 2000 chars]\n2|short`);
    session.write('much.txt', `${'x'.repeat(999)}\n`.repeat(400));
    const much = await session.call(readFile, { path: 'much.txt', limit: 400 });
    expect(much.json).toMatchObject({ error: expect.stringContaining('limit 100 fits'), total_lines: 400 });
    expect((await session.call(readFile, { path: 'much.txt', limit: 100 })).json).not.toHaveProperty('error');
  });

  test('finds the lines of a huge file, also of one without line ends', async () => {
    const session = new TestSession();
    session.write('huge.txt', numbered(300_000));
    const { json } = await session.call(readFile, { path: 'huge.txt', offset: 299_999 });
    expect(json).toMatchObject({ content: '299999|line 299999\n300000|line 300000', total_lines: 300_000 });
    expect(json['hint']).toContain('A large file');
    session.write('one-line.txt', 'x'.repeat(5_000_000));
    const line = await session.call(readFile, { path: 'one-line.txt' });
    expect(line.json).toMatchObject({ total_lines: 1, truncated: false });
    expect(String(line.json['content']).length).toBeLessThan(2100);
  });

  test('answers at once for what is no readable text', async () => {
    const session = new TestSession();
    execFileSync('mkfifo', [session.path('pipe')]);
    symlinkSync('pipe', session.path('to-pipe'));
    symlinkSync('loop', session.path('loop'));
    mkdirSync(session.path('folder'));
    session.write('a.bin', Buffer.from([0, 1, 2]));
    session.write('.env', 'KEY=1');
    symlinkSync('.env', session.path('notes.txt'));
    const cases = {
      pipe: 'named pipe',
      'to-pipe': 'named pipe',
      loop: 'circle',
      folder: 'is a directory',
      'a.bin': 'binary',
      '.env': 'Refused',
      'notes.txt': 'Refused',
      '/dev/zero': 'Refused',
      '/dev/stdin': 'Refused',
      '/proc/self/environ': 'Refused',
      '~/.ssh/id_rsa': 'Refused',
      '': 'empty',
    };
    for (const [path, words] of Object.entries(cases)) {
      const { json, effect } = await session.call(readFile, { path });
      expect(json['error'], path).toContain(words);
      expect(effect).toBe('none');
    }
  });

  test('suggests files of a like name for a missing one', async () => {
    const session = new TestSession();
    session.write('src/index.ts', '');
    const { json } = await session.call(readFile, { path: 'src/indx.ts' });
    expect(json).toMatchObject({
      error: expect.stringContaining('does not exist'),
      similar_files: [session.path('src/index.ts')],
    });
  });

  test.skipIf(process.getuid?.() === 0)('says that permission is denied', async () => {
    const session = new TestSession();
    chmodSync(session.write('closed.txt', 'x'), 0);
    expect((await session.call(readFile, { path: 'closed.txt' })).json['error']).toContain('permission denied');
  });

  test('does not repeat what the model has seen: a stub, then an error, then the text again', async () => {
    const session = new TestSession();
    session.write('a.txt', 'one\n');
    const read = async () => (await session.call(readFile, { path: join(session.cwd, 'a.txt') })).json;
    expect(await read()).toMatchObject({ content: '1|one' });
    expect(await read()).toMatchObject({ status: 'unchanged' });
    expect(await read()).toMatchObject({ error: expect.stringContaining('not changed') });
    expect(await read()).toMatchObject({ content: '1|one' });
    session.write('a.txt', 'two\n');
    expect(await read()).toMatchObject({ content: '1|two' });
    expect((await session.call(readFile, { path: 'a.txt', limit: 7 })).json).toMatchObject({ content: '1|two' });
  });

  test('stops when the call is aborted', async () => {
    const session = new TestSession();
    session.write('a.txt', 'one\n');
    const signal = AbortSignal.abort(new Error('interrupted'));
    await expect(session.call(readFile, { path: 'a.txt' }, { signal })).rejects.toThrow('interrupted');
  });
});
