import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of this checkout. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

const GROUPS = ['packages', 'apps', 'tooling'];

/**
 * Folders that may hold a workspace package, relative to the top, in a stable order.
 *
 * @param {string} root
 * @returns {string[]} such as `['packages/runtime', 'apps/cli', 'tests']`
 */
export function packageFolders(root) {
  const grouped = GROUPS.filter((group) => existsSync(join(root, group))).flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${group}/${entry.name}`)
      .toSorted(),
  );
  return [...grouped, 'tests'];
}
