import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readManifest } from './manifest.ts';

const PACKAGES = fileURLToPath(new URL('../../packages/', import.meta.url));

/**
 * Where the source of each import of a workspace package lies. With this as TypeScript's `paths` the types of a
 * workspace package count as the library's own and are bundled; found through node_modules they would stay an import.
 *
 * @returns such as `{ '@hermes/session-db/sqlite': ['/…/packages/session-db/src/sqlite/index.ts'] }`
 */
export function workspaceSources(): Record<string, [string]> {
  return Object.fromEntries(
    readdirSync(PACKAGES)
      .map((folder) => join(PACKAGES, folder))
      .filter((folder) => existsSync(join(folder, 'package.json')))
      .flatMap((folder) => {
        const { name, exports } = readManifest(join(folder, 'package.json'));
        return Object.entries(exports).map(([path, source]): [string, [string]] => [
          path.replace('.', name),
          [join(folder, source)],
        ]);
      }),
  );
}
