import { isBuiltin } from 'node:module';
import type { Options } from 'tsup';

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];

/**
 * Fails the build when the bundle still imports a package that will not be installed with it: the mistake would
 * otherwise show only on the machine of whoever installs the package.
 *
 * @param allowed packages that may stay outside
 */
export function sealed(allowed: readonly string[]): EsbuildPlugin {
  return {
    name: 'sealed',
    setup(build) {
      build.onEnd(({ metafile }) => {
        const outputs = Object.values(metafile?.outputs ?? {});
        const left = outputs.flatMap((output) => output.imports.filter((one) => one.external).map((one) => one.path));
        const missing = [...new Set(left.filter((path) => !isBuiltin(path)).map(packageOf))].filter(
          (name) => !allowed.includes(name),
        );
        return {
          errors: missing.map((name) => ({
            text: `The bundle imports ${name}, which is neither bundled nor among the "dependencies" of the manifest.`,
          })),
        };
      });
    },
  };
}

function packageOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
}
