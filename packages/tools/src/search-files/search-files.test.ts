import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TestSession } from '../testing/session.ts';
import { searchFiles } from './tool.ts';

function project(): TestSession {
  const session = new TestSession();
  mkdirSync(session.path('.git'));
  session.write('.gitignore', 'out/\n*.log\n');
  session.write('src/a.ts', 'one\nneedle two\nthree\nneedle four\n');
  session.write('src/b.js', 'needle\n');
  session.write('.github/ci.yml', 'needle\n');
  session.write('out/built.js', 'needle\n');
  session.write('x.log', 'needle\n');
  session.write('.git/HEAD', 'needle\n');
  return session;
}

describe('search_files in files', () => {
  test('finds lines in order, skips what git ignores and looks into hidden files', async () => {
    const session = project();
    const { json, effect, preview } = await session.call(searchFiles, { pattern: 'needle' });
    expect(json).toEqual({
      matches: [
        { path: '.github/ci.yml', line: 1, content: 'needle' },
        { path: 'src/a.ts', line: 2, content: 'needle two' },
        { path: 'src/a.ts', line: 4, content: 'needle four' },
        { path: 'src/b.js', line: 1, content: 'needle' },
      ],
      total_count: 4,
      truncated: false,
    });
    expect([effect, preview]).toEqual(['none', '4 matches']);
  });

  test('pages through what it finds', async () => {
    const session = project();
    const first = await session.call(searchFiles, { pattern: 'needle', limit: 3 });
    expect(first.json).toMatchObject({ total_count: 4, truncated: true, next_offset: 3 });
    const second = await session.call(searchFiles, { pattern: 'needle', limit: 3, offset: 3 });
    expect(second.json).toMatchObject({ matches: [{ path: 'src/b.js' }], total_count: 4, truncated: false });
    expect(second.json).not.toHaveProperty('next_offset');
  });

  test('can be narrowed by a glob, a folder or a file, also an ignored one', async () => {
    const session = project();
    const paths = async (args: { file_glob?: string; path?: string }) => {
      const { json } = await session.call(searchFiles, { pattern: 'needle', output_mode: 'files_only', ...args });
      return json['matches'];
    };
    expect(await paths({ file_glob: '*.ts' })).toEqual(['src/a.ts']);
    expect(await paths({ file_glob: 'src/**/*.js' })).toEqual(['src/b.js']);
    expect(await paths({ file_glob: '*.{ts,yml}' })).toEqual(['.github/ci.yml', 'src/a.ts']);
    expect(await paths({ file_glob: '!*.ts' })).toEqual(['.github/ci.yml', 'src/b.js']);
    expect(await paths({ path: 'src' })).toEqual(['src/a.ts', 'src/b.js']);
    expect(await paths({ path: 'src/b.js' })).toEqual(['src/b.js']);
    expect(await paths({ path: 'out' })).toEqual(['out/built.js']);
    expect(await paths({ path: session.path('src') })).toEqual(['src/a.ts', 'src/b.js']);
  });

  test('names files outside the working directory by their whole path', async () => {
    const session = project();
    const { json } = await session.call(searchFiles, { pattern: 'needle', path: '../work/src' }, { cwd: session.home });
    expect(json).toMatchObject({
      matches: [{ path: session.path('src/a.ts') }, {}, { path: session.path('src/b.js') }],
    });
  });

  test('counts matching lines per file', async () => {
    const session = project();
    const { json } = await session.call(searchFiles, { pattern: 'needle', path: 'src', output_mode: 'count' });
    expect(json).toMatchObject({
      matches: [
        { path: 'src/a.ts', count: 2 },
        { path: 'src/b.js', count: 1 },
      ],
      total_count: 2,
      total_matches: 3,
    });
  });

  test('shows lines around a match once', async () => {
    const session = project();
    const { json } = await session.call(searchFiles, { pattern: 'needle', path: 'src/a.ts', context: 1 });
    expect(json['matches']).toEqual([
      { path: 'src/a.ts', line: 2, content: 'needle two', before: ['one'], after: ['three'] },
      { path: 'src/a.ts', line: 4, content: 'needle four', before: [], after: [] },
    ]);
  });

  test('takes a pattern that begins with a dash, spans lines or looks around', async () => {
    const session = project();
    session.write('src/c.txt', '--flag\nfoobar\n');
    const count = async (pattern: string) => {
      return (await session.call(searchFiles, { pattern, path: 'src/c.txt' })).json['total_count'];
    };
    expect(await count('--flag')).toBe(1);
    expect(await count('flag\\nfoo')).toBe(1);
    expect(await count('foo(?=bar)')).toBe(1);
    expect(await count('(?i)FOOBAR')).toBe(1);
  });

  test('shows a very long line around its match, and text that is no UTF-8', async () => {
    const session = project();
    session.write('min.js', `${'ä'.repeat(5000)}needle${'b'.repeat(5000)}\n`);
    session.write('latin1.txt', Buffer.from('n\u00e4chste needle\n', 'latin1'));
    session.write('wide.txt', Buffer.from('\uFEFFwide needle\r\n', 'utf16le'));
    const contents = async (path: string) => {
      const { json } = await session.call(searchFiles, { pattern: 'needle', path });
      return JSON.stringify(json['matches']);
    };
    const long = await contents('min.js');
    expect(long).toContain('needle');
    expect(long.length).toBeLessThan(700);
    expect(await contents('latin1.txt')).toContain('n\uFFFDchste needle');
    expect(await contents('wide.txt')).toContain('"wide needle"');
  });

  test('leaves out hits in credential files and counts them', async () => {
    const session = project();
    session.write('.env', 'needle=1\nneedle=2\n');
    session.write('.env.example', 'needle=\n');
    const { json } = await session.call(searchFiles, { pattern: 'needle=' });
    expect(json).toMatchObject({ matches: [{ path: '.env.example' }], total_count: 1, _omitted: 2 });
    const files = await session.call(searchFiles, { pattern: 'needle=', output_mode: 'files_only' });
    expect(files.json).toMatchObject({ matches: ['.env.example'], _omitted: 1 });
    const counts = await session.call(searchFiles, { pattern: 'needle=', output_mode: 'count' });
    expect(counts.json).toMatchObject({ matches: [{ count: 1 }], total_matches: 1, _omitted: 1 });
  });

  test('says what is wrong with a search that cannot be done', async () => {
    const session = project();
    execFileSync('mkfifo', [session.path('pipe')]);
    symlinkSync('loop', session.path('loop'));
    mkdirSync(join(session.home, '.ssh'));
    const cases = [
      [{ pattern: 'a(b' }, 'unclosed group'],
      [{ pattern: '' }, 'empty'],
      [{ pattern: 'a\0' }, 'NUL'],
      [{ pattern: 'x', file_glob: '[' }, 'glob'],
      [{ pattern: 'x', path: 'nowhere' }, 'does not exist'],
      [{ pattern: 'x', path: 'pipe' }, 'named pipe'],
      [{ pattern: 'x', path: 'loop' }, 'circle'],
      [{ pattern: 'x', path: '~/.ssh' }, 'Refused'],
      [{ pattern: 'x', target: 'web' }, 'target'],
      [{ pattern: 'x', output_mode: 'json' }, 'output_mode'],
      [{ pattern: '[', target: 'files' }, 'glob'],
      [{ pattern: '*', target: 'files', file_glob: '[z-a]' }, 'file_glob'],
    ] as const;
    for (const [args, words] of cases)
      expect((await session.call(searchFiles, args)).json['error'], JSON.stringify(args)).toContain(words);
  });

  test('does not wait for pipes it meets on its way', async () => {
    const session = project();
    execFileSync('mkfifo', [session.path('src/pipe')]);
    expect((await session.call(searchFiles, { pattern: 'needle', path: 'src' })).json['total_count']).toBe(3);
  });

  test('says why it found nothing', async () => {
    const session = project();
    const { json } = await session.call(searchFiles, { pattern: 'nothing like it' });
    expect(json).toMatchObject({ matches: [], total_count: 0, hint: expect.stringContaining('.gitignore') });
    const past = await session.call(searchFiles, { pattern: 'needle', offset: 99 });
    expect(past.json).toMatchObject({ total_count: 4, hint: expect.stringContaining('past the last') });
  });

  test('stops counting in a flood of matches', async () => {
    const session = project();
    session.write('flood.txt', 'needle\n'.repeat(60_000));
    const { json } = await session.call(searchFiles, { pattern: 'needle', path: 'flood.txt' });
    expect(json).toMatchObject({ total_count: 50_000, next_offset: 50, hint: expect.stringContaining('minimum') });
  });

  test('warns at the third same answer in a row and refuses the fourth', async () => {
    const session = project();
    const search = async (pattern = 'needle') => (await session.call(searchFiles, { pattern })).json;
    await search();
    expect(await search()).not.toHaveProperty('_warning');
    expect(await search()).toHaveProperty('_warning');
    expect(await search()).toHaveProperty('error');
    expect(await search()).toHaveProperty('matches');
    await search();
    session.write('src/new.ts', 'needle\n');
    expect(await search()).not.toHaveProperty('_warning');
    await search();
    await search('other');
    expect(await search()).not.toHaveProperty('_warning');
  });

  test('ends ripgrep when the call is aborted', async () => {
    const session = project();
    const abort = new AbortController();
    const running = session.call(searchFiles, { pattern: 'x', path: '/usr' }, { signal: abort.signal });
    setImmediate(() => abort.abort(new Error('interrupted')));
    await expect(running).rejects.toThrow('interrupted');
  });
});

describe('search_files for files', () => {
  test('lists the newest first, by glob or by a part of the name', async () => {
    const session = project();
    utimesSync(session.path('src/a.ts'), 100, 100);
    utimesSync(session.path('src/b.js'), 200, 200);
    const list = async (pattern: string, more: { file_glob?: string; path?: string; target?: string } = {}) => {
      return (await session.call(searchFiles, { pattern, target: 'files', ...more })).json['matches'];
    };
    expect(await list('*', { path: 'src' })).toEqual(['src/b.js', 'src/a.ts']);
    expect(await list('*.ts')).toEqual(['src/a.ts']);
    expect(await list('src/*')).toEqual(['src/b.js', 'src/a.ts']);
    expect(await list('b.j', { target: 'find' })).toEqual(['src/b.js']);
    expect(await list('*', { path: 'src', file_glob: '*.ts' })).toEqual(['src/a.ts']);
    expect(await list('src/*', { file_glob: '*.js' })).toEqual(['src/b.js']);
    expect(await list('src/*', { file_glob: 'src/[!a].{js,ts}' })).toEqual(['src/b.js']);
    expect(await list('*', { path: 'src', file_glob: '!?.js' })).toEqual(['src/a.ts']);
    expect(await list('*.log')).toEqual([]);
  });

  test('pages, and leaves credential files out', async () => {
    const session = project();
    session.write('.env', '');
    const { json } = await session.call(searchFiles, { pattern: '*', target: 'files', limit: 2 });
    expect(json).toMatchObject({ total_count: 4, truncated: true, next_offset: 2, _omitted: 1 });
  });

  test('keeps names with spaces and line feeds whole', async () => {
    const session = new TestSession();
    session.write('a b\nc.txt', '');
    const { json } = await session.call(searchFiles, { pattern: '*.txt', target: 'files' });
    expect(json['matches']).toEqual(['a b\nc.txt']);
  });
});
