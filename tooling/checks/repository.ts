import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of this checkout. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The script behind a command of an installed tool, so that it can be run by this Node without a shell.
 *
 * @example toolScript('@biomejs/biome', 'biome')
 */
export function toolScript(packageName: string, command = packageName): string {
  const folder = join(ROOT, 'node_modules', packageName);
  const manifest: { bin: Record<string, string> } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const script = manifest.bin[command];
  if (script === undefined) throw new Error(`${packageName} has no command ${command}`);
  return join(folder, script);
}
