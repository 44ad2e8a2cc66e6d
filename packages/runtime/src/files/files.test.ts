import { execFile } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ExitCode } from '../errors/exit-code.ts';
import { HermesError } from '../errors/hermes-error.ts';
import { fileError } from './file-error.ts';
import { withFileLock } from './file-lock.ts';
import { makeDirectories } from './make-directories.ts';
import { createFileAtomic, writeFileAtomic } from './write-file-atomic.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-files-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const run = promisify(execFile);

/** Runs a module text in a real Node process, from the shell, and gives what it printed. */
async function inChild(shellPrefix: string, code: string): Promise<string> {
  const { stdout } = await run(
    'sh',
    ['-c', `${shellPrefix} exec "$0" --input-type=module -e "$1"`, process.execPath, code],
    {
      cwd: folder,
    },
  );
  return stdout.trim();
}

describe('writeFileAtomic', () => {
  test('a new file has the mode asked for and nothing else is left in the directory', async () => {
    const path = join(folder, 'config.yaml');
    await writeFileAtomic(path, 'a: 1\n', { mode: 0o600 });
    expect(await readFile(path, 'utf8')).toBe('a: 1\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['config.yaml']);
  });

  test('an existing file keeps its mode unless one is given', async () => {
    const path = join(folder, 'notes');
    await writeFile(path, 'old');
    await chmod(path, 0o664);
    await writeFileAtomic(path, 'new');
    expect((await stat(path)).mode & 0o777).toBe(0o664);
    await writeFileAtomic(path, 'new', { mode: 0o600 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('a link stays a link and its target gets the bytes, also when the target is still missing', async () => {
    await mkdir(join(folder, 'dotfiles'));
    await symlink('dotfiles/config.yaml', join(folder, 'one'));
    await symlink('one', join(folder, 'two'));
    await writeFileAtomic(join(folder, 'two'), 'through');
    expect((await lstat(join(folder, 'two'))).isSymbolicLink()).toBe(true);
    expect((await lstat(join(folder, 'one'))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(folder, 'dotfiles/config.yaml'), 'utf8')).toBe('through');
    expect(await readdir(join(folder, 'dotfiles'))).toEqual(['config.yaml']);
  });

  test('links in a circle are named as such', async () => {
    await symlink('b', join(folder, 'a'));
    await symlink('a', join(folder, 'b'));
    await expect(writeFileAtomic(join(folder, 'a'), 'x')).rejects.toThrow(/links lead in a circle/);
  });

  test('a failed write leaves the old bytes and no temporary file', async () => {
    const path = join(folder, 'config.yaml');
    await writeFile(path, 'old');
    const module = new URL('./write-file-atomic.ts', import.meta.url).href;
    const code = `const { writeFileAtomic } = await import(${JSON.stringify(module)});
      await writeFileAtomic('config.yaml', 'x'.repeat(100_000)).catch((error) => console.log(error.code, error.message));`;
    const said = await inChild('ulimit -f 1;', code);
    expect(said).toMatch(/^file_too_large Cannot write config\.yaml: the file size limit is reached \(EFBIG\)\.$/);
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['config.yaml']);
  });

  test('a directory in the way and a file used as a directory are two different messages', async () => {
    await mkdir(join(folder, 'taken'));
    await writeFile(join(folder, 'plain'), '');
    await expect(writeFileAtomic(join(folder, 'taken'), 'x')).rejects.toMatchObject({ code: 'is_a_directory' });
    await expect(writeFileAtomic(join(folder, 'plain/x'), 'x')).rejects.toMatchObject({ code: 'not_a_directory' });
    await expect(writeFileAtomic(join(folder, 'none/x'), 'x')).rejects.toMatchObject({ code: 'no_such_directory' });
  });

  test('twenty writers at once leave one whole file', async () => {
    const path = join(folder, 'shared');
    const texts = Array.from({ length: 20 }, (_, i) => `${i} `.repeat(5_000));
    await Promise.all(texts.map((text) => writeFileAtomic(path, text)));
    expect(texts).toContain(await readFile(path, 'utf8'));
    expect(await readdir(folder)).toEqual(['shared']);
  });
});

describe('createFileAtomic', () => {
  test('never replaces what exists, and one of many creators wins', async () => {
    const path = join(folder, 'soul');
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text) => createFileAtomic(path, text, { mode: 0o600 })),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    const first = await readFile(path, 'utf8');
    expect(await createFileAtomic(path, 'later')).toBe(false);
    expect(await readFile(path, 'utf8')).toBe(first);
    expect(await readdir(folder)).toEqual(['soul']);
  });

  test('a link that leads nowhere counts as existing', async () => {
    await symlink('nowhere', join(folder, 'env'));
    expect(await createFileAtomic(join(folder, 'env'), 'x')).toBe(false);
  });
});

describe('makeDirectories', () => {
  test('creates what is missing, private throughout, and names the topmost', async () => {
    const path = join(folder, 'a/b/c');
    expect(makeDirectories(path, 0o700)).toBe(join(folder, 'a'));
    expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o700);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect(makeDirectories(path, 0o700)).toBeUndefined();
  });

  test('fails at once where a parent takes no children, and where a file is in the way', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(() => makeDirectories('/proc/1/hermes/logs', 0o700)).toThrow('ENOENT');
    expect(() => makeDirectories(join(folder, 'file'), 0o700)).toThrow('EEXIST');
    expect(() => makeDirectories(join(folder, 'file/a'), 0o700)).toThrow('ENOTDIR');
  });
});

describe('fileError', () => {
  test.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EROFS', 'read_only'],
    ['EACCES', 'permission_denied'],
    ['EPERM', 'permission_denied'],
    ['ENOTDIR', 'not_a_directory'],
  ])('%s has a message of its own with a way out', (name, code) => {
    const error = fileError('write', '/data/config.yaml', Object.assign(new Error('x'), { code: name }));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(new RegExp(`^Cannot write /data/config\\.yaml: .+ \\(${name}\\)\\.$`));
    expect(error.hints).toHaveLength(1);
  });
});

describe('withFileLock', () => {
  const lock = () => join(folder, 'config.yaml.lock');

  test('one holder at a time, and the lock is gone afterwards', async () => {
    let inside = 0;
    let most = 0;
    const turns = Array.from({ length: 10 }, () =>
      withFileLock(lock(), { waitMs: 10_000 }, async () => {
        most = Math.max(most, ++inside);
        await readdir(folder);
        inside--;
      }),
    );
    await Promise.all(turns);
    expect(most).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  test('gives up with exit code 75 and names the holder', async () => {
    await writeFile(lock(), `${process.pid} ${hostname()} other\n`);
    const attempt = withFileLock(lock(), { waitMs: 60 }, () => Promise.resolve());
    await expect(attempt).rejects.toMatchObject({ code: 'lock_held', exitCode: ExitCode.tryAgain });
    await expect(attempt).rejects.toThrow(`Process ${process.pid} is holding`);
    expect(await readFile(lock(), 'utf8')).toContain('other');
  });

  test('takes over from a process that died, and from one that is long gone elsewhere', async () => {
    const dead = await inChild('', 'console.log(process.pid)');
    await writeFile(lock(), `${dead} ${hostname()} x\n`);
    expect(await withFileLock(lock(), { waitMs: 0 }, () => Promise.resolve('mine'))).toBe('mine');

    await writeFile(lock(), '1 another-machine x\n');
    const old = new Date(Date.now() - 10 * 60_000);
    await utimes(lock(), old, old);
    expect(await withFileLock(lock(), { waitMs: 0 }, () => Promise.resolve('mine'))).toBe('mine');
  });

  test('the work may fail and the lock is still released', async () => {
    const failing = withFileLock(lock(), { waitMs: 0 }, () => Promise.reject(new HermesError('x', 'no')));
    await expect(failing).rejects.toThrow('no');
    expect(await readdir(folder)).toEqual([]);
  });

  test('real processes adding to one counter lose no step, with an abandoned lock in their way', async () => {
    await writeFile(join(folder, 'counter'), '0');
    await writeFile(lock(), `${await inChild('', 'console.log(process.pid)')} ${hostname()} x\n`);
    const module = new URL('./file-lock.ts', import.meta.url).href;
    const code = `import { readFileSync, writeFileSync } from 'node:fs';
      const { withFileLock } = await import(${JSON.stringify(module)});
      for (let i = 0; i < 10; i++) await withFileLock('config.yaml.lock', { waitMs: 15000 }, async () => {
        const value = Number(readFileSync('counter', 'utf8'));
        await new Promise(setImmediate);
        writeFileSync('counter', String(value + 1));
      });`;
    await Promise.all([inChild('', code), inChild('', code), inChild('', code)]);
    expect(await readFile(join(folder, 'counter'), 'utf8')).toBe('30');
  });
});
