import { join } from 'node:path';

/** Where the things of one profile live. Nothing here says that they exist: most appear when first needed. */
export interface HomePaths {
  readonly config: string;
  /** Held while `config.yaml` or `.env` is being changed. */
  readonly configLock: string;
  /** Copies of `config.yaml`: `good`, `corrupt`, each with its time. */
  readonly configBackups: string;
  /** `config.yaml` as last checked, so that starting does not have to parse it again. */
  readonly configCache: string;
  readonly env: string;
  readonly auth: string;
  readonly soul: string;
  readonly stateDatabase: string;
  readonly memories: string;
  readonly skills: string;
  readonly logs: string;
  readonly cache: string;
  /** Sockets and tokens of running processes. */
  readonly run: string;
}

/**
 * The paths inside a profile's home (layout of CLI spec 4.1).
 *
 * @example
 * homePaths('/home/ada/.hermes').stateDatabase; // '/home/ada/.hermes/state.db'
 */
export function homePaths(home: string): HomePaths {
  return {
    config: join(home, 'config.yaml'),
    configLock: join(home, 'config.yaml.lock'),
    configBackups: join(home, 'backups', 'config'),
    configCache: join(home, 'cache', 'config.yaml.json'),
    env: join(home, '.env'),
    auth: join(home, 'auth.json'),
    soul: join(home, 'SOUL.md'),
    stateDatabase: join(home, 'state.db'),
    memories: join(home, 'memories'),
    skills: join(home, 'skills'),
    logs: join(home, 'logs'),
    cache: join(home, 'cache'),
    run: join(home, 'run'),
  };
}

/**
 * Files and directories that decide what the agent may do, or hold its keys. A tool that writes files must refuse
 * these for every profile (tools spec 13); a directory covers what is in it.
 */
export function protectedPaths(home: string): string[] {
  const paths = homePaths(home);
  return [
    paths.config,
    paths.configLock,
    paths.configBackups,
    paths.configCache,
    paths.env,
    paths.auth,
    paths.stateDatabase,
    `${paths.stateDatabase}-wal`,
    `${paths.stateDatabase}-shm`,
    paths.run,
    join(home, 'mcp-tokens'),
    join(home, 'pairing'),
  ];
}
