// Installs packed packages with npm in empty projects outside of the workspace and uses them.
//   node tooling/pack-check/main.ts FOLDER-WITH-TARBALLS
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkCommand } from './command.ts';
import { checkLibrary } from './library.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node tooling/pack-check/main.ts FOLDER-WITH-TARBALLS');

const tarball = (name: string): string => {
  const file = readdirSync(folder).find((one) => one.startsWith(`hermes-${name}-`) && one.endsWith('.tgz'));
  if (file === undefined) throw new Error(`There is no tarball of ${name} in ${folder}.`);
  return join(folder, file);
};

await checkLibrary(tarball('turn-engine'));
await checkCommand(tarball('cli'));
