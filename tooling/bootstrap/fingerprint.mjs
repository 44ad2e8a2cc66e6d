import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from './workspace.mjs';

const TEST_FILE = /\.(test|bench)\.[^.]+$/;
const SKIPPED_FOLDER = new Set(['node_modules', 'dist', 'coverage']);

/**
 * Changes when the installed packages may no longer be the wanted ones: lockfile, workspace file, any manifest, or one
 * of the given versions.
 *
 * @param {string} root
 * @param {string[]} versions whatever else the installation depends on, such as the Node version
 */
export function installFingerprint(root, versions) {
  const manifests = packageFolders(root).map((folder) => `${folder}/package.json`);
  const hash = createHash('sha256').update(versions.join('\n'));
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests]) {
    if (existsSync(join(root, file))) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/**
 * Changes when the built command may be out of date. It looks at size and time of every source that ships,
 * not at the contents, because every start pays for it.
 *
 * @param {string} root
 * @param {string} installed the fingerprint of the installed packages
 */
export function sourceSignature(root, installed) {
  const hash = createHash('sha256').update(installed);
  const shipped = packageFolders(root).filter((folder) => /^(packages|apps)\//.test(folder));
  for (const folder of [...shipped, 'tooling/build']) {
    for (const file of sourcesBelow(join(root, folder))) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`\0${file}\0${size}\0${mtimeMs}`);
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return SKIPPED_FOLDER.has(entry.name) || entry.name.startsWith('.') ? [] : sourcesBelow(path);
    }
    return entry.isFile() && !TEST_FILE.test(entry.name) ? [path] : [];
  });
}
