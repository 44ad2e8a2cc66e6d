import { delimiter, dirname, join } from 'node:path';

/** What `npm run` adds for its scripts; an inner package manager or program must not take it for the user's wish. */
const ADDED_BY_NPM = /^(npm_|INIT_CWD$|NODE$)/;

/** Settings a user may have made this way, that say how to reach the registry and where downloads are kept. */
const KEPT = /^npm_config_.*(registry|proxy|cafile|_ca$|auth|strict_ssl|cache|userconfig|globalconfig|store_dir)/;

/**
 * The environment for package managers and repository tools.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {object} [own]
 * @param {string[]} [own.path] folders in front of PATH
 * @param {string | undefined} [own.nodeHome] a user-level npm setting may name the headers of another Node
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnv(env, { path = [], nodeHome } = {}) {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !ADDED_BY_NPM.test(name) || KEPT.test(name)));
  return {
    ...kept,
    PATH: [...path, env.PATH ?? ''].join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    ...(nodeHome === undefined ? {} : { npm_config_nodedir: nodeHome }),
  };
}

/**
 * The environment of the person who typed `npm start`: what npm added is gone, so that commands run by the agent see
 * the shell they would see without npm.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root
 * @returns {NodeJS.ProcessEnv}
 */
export function userEnv(env, root) {
  if (env.npm_lifecycle_event === undefined) return env;
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !ADDED_BY_NPM.test(name) || KEPT.test(name)));
  const added = new Set(upwards(root).map((folder) => join(folder, 'node_modules', '.bin')));
  const path = (env.PATH ?? '').split(delimiter);
  return { ...kept, PATH: path.filter((dir) => !added.has(dir) && !dir.endsWith('node-gyp-bin')).join(delimiter) };
}

/**
 * @param {string} folder
 * @returns {string[]} the folder and everything above it
 */
function upwards(folder) {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}
