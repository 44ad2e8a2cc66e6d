import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const BANNER =
  "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);";

/** Bundles the fixture program as the app itself is bundled, so that tests run what users run. Gives the file to start. */
export async function buildFixture(folder: string): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL('./fixture-main.ts', import.meta.url))],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    jsx: 'automatic',
    external: ['react-devtools-core'],
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: BANNER },
  });
  return join(folder, 'fixture-main.mjs');
}
