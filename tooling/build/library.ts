import type { Options } from 'tsup';
import { everythingBut, readManifest } from './manifest.ts';
import { sealed } from './sealed.ts';
import { workspaceSources } from './workspace-sources.ts';

/**
 * The bundle of a published library: workspace packages are part of it, in code and in types; packages named under
 * "dependencies" stay outside and are installed with it. Each path of the manifest's "exports" becomes an entry.
 */
export function libraryBundle(): Options {
  const { exports, dependencies } = readManifest();
  return {
    entry: Object.fromEntries(Object.values(exports).map((source) => [entryName(source), source])),
    outDir: 'dist',
    format: ['esm'],
    target: 'node22',
    platform: 'node',
    splitting: true,
    sourcemap: true,
    clean: true,
    silent: true,
    removeNodeProtocol: false,
    external: [...dependencies],
    noExternal: [everythingBut(dependencies)],
    dts: { compilerOptions: { paths: workspaceSources() } },
    esbuildPlugins: [sealed(dependencies)],
  };
}

/** `./src/sqlite/index.ts` is built to `dist/sqlite/index.js`. */
function entryName(source: string): string {
  return source.replace(/^\.\/src\//, '').replace(/\.ts$/, '');
}
