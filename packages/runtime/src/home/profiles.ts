import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, fileError } from '../files/file-error.ts';

/** The profile that lives in the root itself. */
export const DEFAULT_PROFILE = 'default';

/** Directory of the named profiles inside the root. */
export const PROFILES_FOLDER = 'profiles';

/** File in the root that holds the name chosen by `hermes profile use`. */
const STICKY_FILE = 'active_profile';

const PROFILE_NAME = /^[A-Za-z0-9_-]+$/;

/** Whether a name may be a profile: letters, digits, `_` and `-` (CLI spec 4.2). */
export function isProfileName(name: string): boolean {
  return PROFILE_NAME.test(name);
}

export function profileHome(root: string, profile: string): string {
  return profile === DEFAULT_PROFILE ? root : join(root, PROFILES_FOLDER, profile);
}

/** Whether the profile has a home. The default one always counts: its home is made on the first launch. */
export function profileExists(root: string, profile: string): boolean {
  if (profile === DEFAULT_PROFILE) return true;
  return statSync(profileHome(root, profile), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export interface ProfileEntry {
  readonly profile: string;
  readonly home: string;
  /** Chosen by `hermes profile use`, for commands that name no profile. */
  readonly sticky: boolean;
}

/**
 * The profiles under a root, `default` first and the rest by name. Reads two directory entries and loads no
 * configuration, so that `hermes profile list` stays instant (CLI spec 2).
 *
 * @example
 * listProfiles('/home/ada/.hermes').map((entry) => entry.profile); // ['default', 'work']
 */
export function listProfiles(root: string): ProfileEntry[] {
  const sticky = stickyProfile(root) ?? DEFAULT_PROFILE;
  const names = namesIn(join(root, PROFILES_FOLDER)).filter(
    (name) => name !== DEFAULT_PROFILE && isProfileName(name) && profileExists(root, name),
  );
  return [DEFAULT_PROFILE, ...names.sort()].map((profile) => ({
    profile,
    home: profileHome(root, profile),
    sticky: profile === sticky,
  }));
}

/** The name in `active_profile`, whatever it is; undefined when there is none. */
export function stickyProfile(root: string): string | undefined {
  const path = stickyPath(root);
  try {
    const name = readFileSync(path, 'utf8').trim();
    return name === '' ? undefined : name;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw fileError('read', path, error);
  }
}

export function stickyPath(root: string): string {
  return join(root, STICKY_FILE);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw fileError('read', directory, error);
  }
}

function isAbsence(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
