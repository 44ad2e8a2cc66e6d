import { isAbsolute, normalize, resolve } from 'node:path';
import { UNKNOWN } from '../../shell-syntax/resolve-word.ts';

/** Trees whose loss breaks the machine: removing them, or everything in them, is refused (tools spec 12.1). */
const SYSTEM_TREES = new Set([
  '/',
  '/usr/bin',
  '/usr/lib',
  '/usr/lib64',
  '/usr/sbin',
  '/private/etc',
  '/private/var',
  ...'bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys usr var'
    .split(' ')
    .map((name) => `/${name}`),
  ...['Applications', 'Library', 'System', 'Users', 'private'].map((name) => `/${name}`),
]);

/** A last component that means everything in the folder. */
const EVERYTHING = /\/(?:\*+|\.\*|\.\[!\.\]\*|\.\?\?\*)$/u;

/**
 * Whether a path, as written, names the whole machine, a system tree, the user's home, or all that is in one of them.
 * `cwd` is where the command runs; a path that cannot be worked out is not protected.
 *
 * @example
 * isProtectedTree('/tmp/../..', '/work', '/home/ada'); // true: it is the root
 */
export function isProtectedTree(path: string, cwd: string, home: string): boolean {
  const folded = path.normalize('NFKC');
  if (folded === '' || folded.includes(UNKNOWN)) return false;
  if (!isAbsolute(folded) && cwd.includes(UNKNOWN)) return false;
  const absolute = isAbsolute(folded) ? folded : `${cwd}/${folded}`;
  const tree = withoutTrailingSlash(normalize(absolute.replace(/\/+/gu, '/'))).replace(EVERYTHING, '');
  const place = tree === '' ? '/' : withoutTrailingSlash(resolve(tree));
  return SYSTEM_TREES.has(place) || place === withoutTrailingSlash(home);
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/u, '') : path;
}
