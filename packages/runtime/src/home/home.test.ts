import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ExitCode } from '../errors/exit-code.ts';
import { ensureHome } from './ensure-home.ts';
import { homePaths, protectedPaths } from './home-paths.ts';
import { resolveHome } from './home-scope.ts';
import { listProfiles } from './profiles.ts';

let user = '';
let root = '';
beforeEach(async () => {
  user = await mkdtemp(join(tmpdir(), 'hermes-home-'));
  root = join(user, '.hermes');
});
afterEach(async () => {
  await rm(user, { recursive: true, force: true });
});

const addProfile = (name: string) => mkdir(join(root, 'profiles', name), { recursive: true });
const scopeFor = (home: string) => ({ root: home, home, profile: 'default' });

describe('resolveHome', () => {
  const resolved = (env: Record<string, string> = {}, profileFlag?: string) =>
    resolveHome({ env, profileFlag, platformHome: user });

  test('a machine that has never run Hermes gets the default profile in ~/.hermes', () => {
    expect(resolved()).toEqual({ root, home: root, profile: 'default' });
    expect(existsSync(root)).toBe(false);
  });

  test('flag beats HERMES_HOME beats the sticky profile beats the default', async () => {
    await addProfile('work');
    await addProfile('play');
    await writeFile(join(root, 'active_profile'), 'play\n');
    expect(resolved().profile).toBe('play');
    expect(resolved({ HERMES_HOME: root })).toEqual({ root, home: root, profile: 'default' });
    expect(resolved({ HERMES_HOME: root }, 'work').home).toBe(join(root, 'profiles/work'));
    expect(resolved({}, 'default').home).toBe(root);
  });

  test('a HERMES_HOME inside profiles is that profile, and the flag still finds its siblings', async () => {
    await addProfile('work');
    await addProfile('play');
    const inside = { HERMES_HOME: `${root}/profiles/work/` };
    expect(resolved(inside)).toEqual({ root, home: join(root, 'profiles/work'), profile: 'work' });
    expect(resolved(inside, 'play').home).toBe(join(root, 'profiles/play'));
    expect(resolved(inside, 'default').home).toBe(root);
  });

  test('an empty HERMES_HOME is no HERMES_HOME; a leading tilde and a relative path are resolved', () => {
    expect(resolved({ HERMES_HOME: ' ' }).home).toBe(root);
    expect(resolved({ HERMES_HOME: '~/agent' }).home).toBe(join(user, 'agent'));
    expect(resolved({ HERMES_HOME: relative(process.cwd(), root) }).home).toBe(root);
  });

  test('an unknown profile is a usage error that names near ones', async () => {
    await addProfile('work');
    expect(() => resolved({}, 'wrok')).toThrow(
      expect.objectContaining({
        code: 'unknown_profile',
        exitCode: ExitCode.usage,
        hints: expect.arrayContaining(['Did you mean work?']),
      }),
    );
    expect(() => resolved({}, 'entirely-else')).toThrow(
      expect.objectContaining({ hints: expect.arrayContaining(['There are: default, work.']) }),
    );
  });

  test('a sticky profile that is gone stops the start and says how to get out', async () => {
    await mkdir(root);
    await writeFile(join(root, 'active_profile'), 'gone');
    expect(() => resolved()).toThrow(/no profile "gone" \(from .*active_profile\)/);
    expect(resolved({}, 'default').home).toBe(root);
  });

  test.each(['../x', 'a/b', '', 'ü', 'a b'])('%j cannot name a profile', (name) => {
    expect(() => resolved({}, name)).toThrow(expect.objectContaining({ code: 'bad_profile_name' }));
  });
});

describe('listProfiles', () => {
  test('gives the default first, the rest by name, and skips what is no profile', async () => {
    await addProfile('work');
    await addProfile('art');
    await addProfile('.half-made');
    await writeFile(join(root, 'profiles', 'note'), '');
    await writeFile(join(root, 'active_profile'), 'work');
    expect(listProfiles(root).map((entry) => [entry.profile, entry.sticky])).toEqual([
      ['default', false],
      ['art', false],
      ['work', true],
    ]);
  });

  test('an empty machine has the default profile', () => {
    expect(listProfiles(root)).toEqual([{ profile: 'default', home: root, sticky: true }]);
  });
});

describe('ensureHome', () => {
  test('the first launch creates the directory and three private files, the second nothing', async () => {
    const home = join(user, 'deep/er/home');
    const created = await ensureHome(scopeFor(home));
    expect(created.map((path) => relative(home, path))).toEqual(['config.yaml', '.env', 'SOUL.md']);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    for (const path of created) expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(join(home, '.env'), 'utf8')).toBe('');
    expect(await readFile(join(home, 'config.yaml'), 'utf8')).toMatch(/^(#.*\n)+$/);
    expect(await ensureHome(scopeFor(home))).toEqual([]);
    expect((await readdir(home)).sort()).toEqual(['.env', 'SOUL.md', 'config.yaml']);
  });

  test('only what is missing is added; the user’s files and links stay as they are', async () => {
    await mkdir(root, { mode: 0o755 });
    await writeFile(join(root, 'SOUL.md'), 'mine');
    await symlink('/nowhere/config.yaml', join(root, 'config.yaml'));
    expect(await ensureHome(scopeFor(root))).toEqual([join(root, '.env')]);
    expect(await readFile(join(root, 'SOUL.md'), 'utf8')).toBe('mine');
    expect((await stat(root)).mode & 0o777).toBe(0o755);
  });

  test('several first launches at once agree on one home', async () => {
    const created = await Promise.all(Array.from({ length: 8 }, () => ensureHome(scopeFor(root))));
    expect(created.flat().sort()).toEqual([join(root, '.env'), join(root, 'SOUL.md'), join(root, 'config.yaml')]);
  });

  test('a file where a directory should be is one clear error and nothing is left', async () => {
    await writeFile(join(user, 'file'), '');
    const inside = ensureHome(scopeFor(join(user, 'file/home')));
    await expect(inside).rejects.toMatchObject({ code: 'home_not_a_directory' });
    await expect(inside).rejects.toThrow(
      /home .*file\/home cannot be used\. Cannot create .*: a part of the path is a file/,
    );
    await expect(ensureHome(scopeFor(join(user, 'file')))).rejects.toMatchObject({ code: 'home_not_a_directory' });
    expect(await readdir(user)).toEqual(['file']);
  });

  test('a place where nothing can be created is one clear error with a way out', async () => {
    const attempt = ensureHome(scopeFor('/proc/1/hermes'));
    await expect(attempt).rejects.toMatchObject({
      exitCode: ExitCode.failed,
      hints: expect.arrayContaining(['Or set HERMES_HOME to a directory you can write.']),
    });
  });

  test('a disk that takes no more bytes leaves nothing half-made', async () => {
    const module = new URL('./ensure-home.ts', import.meta.url).href;
    const home = join(user, 'new/home');
    const code = `const { ensureHome } = await import(${JSON.stringify(module)});
      await ensureHome({ root: '', home: ${JSON.stringify(home)}, profile: 'default' }).catch((e) => console.log(e.code));`;
    const shell = ['-c', 'ulimit -f 0; exec "$0" --input-type=module -e "$1" | cat', process.execPath, code];
    const { stdout } = await promisify(execFile)('sh', shell);
    expect(stdout.trim()).toBe('home_file_too_large');
    expect(await readdir(user)).toEqual([]);
  });
});

describe('homePaths', () => {
  test('everything of a profile lies inside its home, and what is protected covers keys, settings and their cache', () => {
    expect(Object.values(homePaths('/h')).every((path) => path.startsWith('/h/'))).toBe(true);
    expect(protectedPaths('/h')).toEqual(
      expect.arrayContaining(['/h/config.yaml', '/h/cache/config.yaml.json', '/h/.env', '/h/auth.json', '/h/state.db']),
    );
  });
});
