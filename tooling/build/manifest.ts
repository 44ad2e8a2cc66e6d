import { readFileSync } from 'node:fs';

export interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
  /** What stays outside of the bundle and is installed with the package; everything else is bundled. */
  readonly dependencies: readonly string[];
}

/** Reads the manifest of the package being built. */
export function readManifest(file = 'package.json'): Manifest {
  const { name, exports, dependencies = {} } = JSON.parse(readFileSync(file, 'utf8'));
  return { name, exports, dependencies: Object.keys(dependencies) };
}

/**
 * A pattern for every import but the named packages and their sub-paths.
 *
 * @example everythingBut(['better-sqlite3']).test('kysely') // true
 */
export function everythingBut(packages: readonly string[]): RegExp {
  const names = packages.map((name) => name.replaceAll(/[.+]/g, '\\$&')).join('|');
  return names === '' ? /^/ : new RegExp(`^(?!(?:${names})(?:/|$))`);
}
