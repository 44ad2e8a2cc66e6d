import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from 'tsup';
import { everythingBut, readManifest } from './manifest.ts';
import { sealed } from './sealed.ts';

/** Asked for by Ink only when DEV is set, and not installed. */
const DEVELOPMENT_ONLY = 'react-devtools-core';

const DAY_MS = 86_400_000;

/**
 * The bundle of a command: one file that starts at once, and a chunk for each part that is imported lazily. Packages
 * named under "dependencies" stay outside; they bring binaries.
 *
 * The production build of React is chosen here and not by an environment variable, because child processes would
 * inherit that. The bundle is not minified: it starts no faster, and stack traces stay readable.
 */
export function appBundle(): Options {
  const outside = [...readManifest().dependencies, DEVELOPMENT_ONLY];
  return {
    entry: ['src/main.ts'],
    outDir: 'dist',
    format: ['esm'],
    target: 'node22',
    platform: 'node',
    splitting: true,
    sourcemap: true,
    dts: false,
    clean: false,
    silent: true,
    removeNodeProtocol: false,
    external: outside,
    noExternal: [everythingBut(outside)],
    define: { 'process.env.NODE_ENV': '"production"' },
    // Bundled CommonJS packages call require for the modules of Node.
    banner: {
      js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);",
    },
    esbuildPlugins: [sealed(outside)],
    onSuccess: async () => removeOldChunks('dist'),
  };
}

/**
 * A command that is running now may still want a chunk of the build it was started from, for instance when it works on
 * this repository and builds it. So chunks are left for a day.
 */
function removeOldChunks(folder: string): void {
  const limit = Date.now() - DAY_MS;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (statSync(file).mtimeMs < limit) rmSync(file, { recursive: true });
  }
}
