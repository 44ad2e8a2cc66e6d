import { realpathSync } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { errorCode, messageOf, protectedPaths } from '@hermes/runtime';
import type { ToolContext } from '@hermes/tool-registry';
import { userHome } from '../session-directory/session-directory.ts';
import { liveDirectory } from '../session-directory/session-directory.ts';

/** As many links as Linux follows before it gives up. */
const MAX_LINKS = 40;

/** A path a tool was given, made absolute; `real` has every symbolic link resolved, also where the file does not exist yet. */
export interface ResolvedPath {
  readonly path: string;
  readonly real: string;
}

/**
 * Makes a path absolute and finds what it really names (tools spec 13): `~` is the home of the session's programs, a relative
 * path begins at the session's directory. Answers `{ error }` for what can name no file.
 *
 * @example
 * const place = await resolvePath(ctx, '~/notes.md');
 * if ('error' in place) return refused(place.error);
 */
export async function resolvePath(ctx: ToolContext, path: string): Promise<ResolvedPath | { readonly error: string }> {
  if (path.trim() === '') return { error: 'The path is empty. Name a file.' };
  if (path.includes('\0')) return { error: 'The path contains a NUL character. Send it without.' };
  if (/^(?:\\\\|\/\/)[?.][\\/]/u.test(path))
    return { error: `${path} names a device, not a file. Use an ordinary path.` };
  const expanded = path === '~' || path.startsWith('~/') ? join(userHome(ctx), path.slice(1)) : path;
  const absolute = resolve(liveDirectory(ctx), expanded);
  try {
    return { path: absolute, real: await realPlace(absolute, 0) };
  } catch (error) {
    const reason = REASONS[errorCode(error) ?? ''] ?? messageOf(error);
    return { error: `Cannot reach ${absolute}: ${reason}. Check the path with search_files (target "files").` };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ELOOP: 'its symbolic links lead in a circle',
  ENOTDIR: 'a part of the path is a file, not a directory',
  EACCES: 'permission denied',
  ENAMETOOLONG: 'the name is too long',
};

/** The real path; of a place that does not exist, that of the deepest existing parent with the rest appended. */
async function realPlace(path: string, hops: number): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
  }
  if (hops >= MAX_LINKS) throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
  const parent = await realPlace(dirname(path), hops);
  const place = join(parent, basename(path));
  const status = await lstat(place).catch(() => undefined);
  if (!status?.isSymbolicLink()) return place;
  return await realPlace(resolve(parent, await readlink(place)), hops + 1);
}

/** What a rule guards and against what. */
interface PathRule {
  /** Where `path` begins: the user's home, or the root of the file system. */
  readonly base: 'home' | 'root';
  /** The file or directory; a directory covers all that is in it. */
  readonly path: string;
  readonly what: string;
  readonly deny: 'read' | 'write' | 'both';
}

/** Places that no file tool may touch (tools spec 13). The first rule that fits decides, so exceptions stand above. */
const PLACES: readonly PathRule[] = [
  ...rules('home', 'write', 'the SSH configuration', ['.ssh/config', '.ssh/known_hosts']),
  ...rules('home', 'both', 'an SSH key store', ['.ssh']),
  ...rules('home', 'both', 'a key ring', ['.gnupg']),
  ...rules('home', 'write', 'the AWS configuration', ['.aws/config']),
  ...rules('home', 'both', 'a cloud credential store', ['.aws', '.azure', '.kube', '.docker', '.config/gcloud']),
  ...rules('home', 'both', 'a credential store', [
    '.config/gh',
    '.netrc',
    '.pgpass',
    '.npmrc',
    '.pypirc',
    '.git-credentials',
  ]),
  ...rules('root', 'both', 'a password file', ['etc/shadow', 'etc/shadow-', 'etc/gshadow', 'etc/gshadow-']),
  ...rules('root', 'both', 'the sudo rules', ['etc/sudoers', 'etc/sudoers.d']),
  ...rules('root', 'write', 'a system file', ['etc/passwd', 'etc/systemd']),
];

/** Names that hold credentials wherever they are. */
const NAMES: readonly { readonly pattern: RegExp; readonly what: string; readonly deny: PathRule['deny'] }[] = [
  { pattern: /^\.env\.(?:example|sample|template|dist|defaults?)$/u, what: '', deny: 'both' },
  { pattern: /^\.env(?:\..+)?$|^\.envrc$/u, what: 'a file of secrets', deny: 'both' },
  { pattern: /^(?:\.netrc|\.pgpass|\.pypirc|\.git-credentials)$/u, what: 'a credential store', deny: 'both' },
  { pattern: /^\.npmrc$/u, what: 'a credential store', deny: 'write' },
];

/** File systems that are no files: reading may hang, writing changes the machine. `/dev/shm` is ordinary memory. */
const SYSTEM_INTERFACE = /^\/(?:proc|sys|dev)(?:\/|$)/u;
const SHARED_MEMORY = /^\/dev\/shm\//u;

/** What else in a profile's home others must not forge or see, besides `protectedPaths`; paths relative to that home. */
const HERMES_STORES: readonly { readonly pattern: RegExp; readonly deny: PathRule['deny'] }[] = [
  { pattern: /^skills\/\.hub(?:\/|$)/iu, deny: 'both' },
  { pattern: /^[^/]*oauth[^/]*\.json$/iu, deny: 'both' },
  { pattern: /^(?:terminal-)?sessions(?:\/|$)/iu, deny: 'write' },
];

type Access = 'read' | 'write';

/** The path rules of one session. Both answers take a real path and say why not, or undefined when it is allowed. */
export interface PathRules {
  readonly refuseRead: (real: string) => string | undefined;
  readonly refuseWrite: (real: string) => string | undefined;
}

/** Reads the session's homes once; use it to check many paths. */
export function pathRules(ctx: ToolContext): PathRules {
  const home = realOr(userHome(ctx));
  const hermesRoots = hermesRootsOf(ctx).map(realOr);
  const safeRoots = (ctx.childEnv['HERMES_WRITE_SAFE_ROOT'] ?? '').split(delimiter).filter(isAbsolute).map(realOr);
  const denied = (real: string, access: Access): string | undefined =>
    systemInterface(real, access) ?? hermesState(real, access, hermesRoots) ?? credential(real, access, home);
  return {
    refuseRead: (real) => denied(real, 'read'),
    refuseWrite: (real) => denied(real, 'write') ?? outsideSafeRoots(real, safeRoots),
  };
}

/** Why the file at this real path may not be read; undefined when it may. */
export function refuseRead(ctx: ToolContext, real: string): string | undefined {
  return pathRules(ctx).refuseRead(real);
}

/** Why the file at this real path may not be written, moved or deleted; undefined when it may. */
export function refuseWrite(ctx: ToolContext, real: string): string | undefined {
  return pathRules(ctx).refuseWrite(real);
}

/** Whether `path` is `folder` or in it. Upper and lower case are the same, as they are on some file systems. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder.toLowerCase(), path.toLowerCase());
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function systemInterface(real: string, access: Access): string | undefined {
  if (!SYSTEM_INTERFACE.test(real) || SHARED_MEMORY.test(real)) return undefined;
  return `Refused: ${real} is a device or an interface of the system, not a file to ${access}. Use a terminal command if you need it.`;
}

function hermesState(real: string, access: Access, roots: readonly string[]): string | undefined {
  for (const root of roots) {
    if (!isInside(root, real)) continue;
    const [profiles, name] = relative(root, real).split(sep);
    const homes = profiles === 'profiles' && name !== undefined ? [root, join(root, profiles, name)] : [root];
    const isStore = homes.some(
      (home) =>
        protectedPaths(home).some((store) => isInside(store, real)) ||
        HERMES_STORES.some((store) => denies(store.deny, access) && store.pattern.test(relative(home, real))),
    );
    if (isStore)
      return `Refused: ${real} holds settings, keys or records of Hermes. Ask the user to look at it or change it with the hermes command.`;
  }
  return undefined;
}

function credential(real: string, access: Access, home: string): string | undefined {
  const found = placeOf(real, home) ?? NAMES.find((rule) => rule.pattern.test(basename(real).toLowerCase()));
  if (found === undefined || found.what === '' || !denies(found.deny, access)) return undefined;
  return `Refused: ${real} is ${found.what}; it is not ${access === 'read' ? 'read' : 'written'} by file tools. Ask the user to do it, or work without it.`;
}

function placeOf(real: string, home: string): PathRule | undefined {
  if (isInside(join(home, '.ssh'), real) && real.endsWith('.pub')) return SSH_PUBLIC_KEY;
  return PLACES.find((rule) => isInside(join(rule.base === 'home' ? home : '/', rule.path), real));
}

const SSH_PUBLIC_KEY: PathRule = { base: 'home', path: '.ssh', what: 'an SSH public key', deny: 'write' };

function outsideSafeRoots(real: string, safeRoots: readonly string[]): string | undefined {
  if (safeRoots.length === 0 || safeRoots.some((root) => isInside(root, real))) return undefined;
  return `Refused: ${real} is outside ${safeRoots.join(', ')}, the only place files may be written (HERMES_WRITE_SAFE_ROOT).`;
}

function denies(deny: PathRule['deny'], access: Access): boolean {
  return deny === 'both' || deny === access;
}

function rules(base: PathRule['base'], deny: PathRule['deny'], what: string, paths: readonly string[]): PathRule[] {
  return paths.map((path) => ({ base, deny, what, path }));
}

/** The roots of all profiles: the default one, the one named by `HERMES_HOME`, and the one this session's cache lies in. */
function hermesRootsOf(ctx: ToolContext): string[] {
  const homes = [join(userHome(ctx), '.hermes')];
  const named = ctx.childEnv['HERMES_HOME']?.trim();
  if (named !== undefined && named !== '') homes.push(resolve(named.replace(/^~(?=$|\/)/u, () => userHome(ctx))));
  if (basename(ctx.cacheDir) === 'cache') homes.push(dirname(ctx.cacheDir));
  const roots = homes.map((home) => (basename(dirname(home)) === 'profiles' ? dirname(dirname(home)) : home));
  return [...new Set([...roots, ...homes])];
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
