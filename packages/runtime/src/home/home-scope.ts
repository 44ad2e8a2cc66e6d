import { basename, dirname, join, resolve } from 'node:path';
import type { Environment } from '../environment/process-environment.ts';
import { ExitCode } from '../errors/exit-code.ts';
import { HermesError } from '../errors/hermes-error.ts';
import { nearest } from '../text/nearest.ts';
import {
  DEFAULT_PROFILE,
  isProfileName,
  listProfiles,
  PROFILES_FOLDER,
  profileExists,
  profileHome,
  stickyPath,
  stickyProfile,
} from './profiles.ts';

/** Which profile this work belongs to and where its files are. */
export interface HomeScope {
  /** Home of the default profile; the others lie under it. */
  readonly root: string;
  /** Home of this profile; equal to `root` for the default one. */
  readonly home: string;
  readonly profile: string;
}

export interface ResolveHomeOptions {
  readonly env: Environment;
  /** Value of `-p` / `--profile`. */
  readonly profileFlag?: string | undefined;
  /** The user's home directory, such as `os.homedir()`. */
  readonly platformHome: string;
}

/**
 * Finds the profile and its home: the flag, then `HERMES_HOME`, then the sticky `active_profile`, then the default
 * profile in `~/.hermes` (CLI spec 2). Reads only; nothing is created.
 *
 * A `HERMES_HOME` of the form `<root>/profiles/<name>` is that profile, so that a child started inside one finds
 * its siblings. Throws a usage error for a profile that does not exist, naming near ones.
 *
 * @example
 * resolveHome({ env: {}, profileFlag: 'work', platformHome: '/home/ada' });
 * // { root: '/home/ada/.hermes', home: '/home/ada/.hermes/profiles/work', profile: 'work' }
 */
export function resolveHome(options: ResolveHomeOptions): HomeScope {
  const named = homeFromEnvironment(options);
  const root = named?.root ?? join(options.platformHome, '.hermes');
  if (options.profileFlag !== undefined) return existing(root, options.profileFlag, '--profile');
  if (named !== undefined) return named;
  const sticky = stickyProfile(root);
  return sticky === undefined ? scopeOf(root, DEFAULT_PROFILE) : existing(root, sticky, stickyPath(root));
}

function homeFromEnvironment({ env, platformHome }: ResolveHomeOptions): HomeScope | undefined {
  const value = env['HERMES_HOME']?.trim();
  if (value === undefined || value === '') return undefined;
  const home = resolve(value.replace(/^~(?=$|\/)/, () => platformHome));
  const profile = basename(home);
  const folder = dirname(home);
  if (basename(folder) === PROFILES_FOLDER && isProfileName(profile)) return { root: dirname(folder), home, profile };
  return scopeOf(home, DEFAULT_PROFILE);
}

function existing(root: string, profile: string, source: string): HomeScope {
  if (!isProfileName(profile)) {
    throw new HermesError('bad_profile_name', `"${profile}" (from ${source}) cannot be the name of a profile.`, {
      exitCode: ExitCode.usage,
      hints: ['A profile name has letters, digits, "_" and "-" only.'],
    });
  }
  if (!profileExists(root, profile)) throw unknownProfile(root, profile, source);
  return scopeOf(root, profile);
}

function scopeOf(root: string, profile: string): HomeScope {
  return { root, home: profileHome(root, profile), profile };
}

function unknownProfile(root: string, profile: string, source: string): HermesError {
  const names = listProfiles(root).map((entry) => entry.profile);
  const near = nearest(profile, names, 3);
  const hints = near.length > 0 ? [`Did you mean ${near.join(', ')}?`] : [`There are: ${names.join(', ')}.`];
  if (source === '--profile') hints.push(`Create it with: hermes profile create ${profile}`);
  else hints.push('Choose another one with: hermes -p default profile use NAME');
  return new HermesError('unknown_profile', `There is no profile "${profile}" (from ${source}).`, {
    exitCode: ExitCode.usage,
    hints,
  });
}
