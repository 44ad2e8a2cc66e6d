import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callsStep, startModelServer, textStep } from '@hermes/model-server';
import { withProject } from './project.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXAMPLE = join(ROOT, 'docs', 'examples', 'ten-lines.ts');
const COMPILER = join(ROOT, 'node_modules', '@typescript', 'native', 'bin', 'tsc');

const ANSWER = 'The packed engine answers.';

/**
 * The example of the documentation must type-check and run against the packed library, with nothing of the workspace in
 * reach. The example finds its model server through BASE_URL and MODEL, and prints the answer.
 */
export async function checkLibrary(tarball: string): Promise<void> {
  await withProject([tarball, `@types/node@${nodeTypes()}`], async ({ folder, run }) => {
    checkTypeImports(join(folder, 'node_modules', '@hermes', 'turn-engine', 'dist'));
    copyFileSync(EXAMPLE, join(folder, 'example.ts'));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await run(process.execPath, [COMPILER, '-p', '.']);
    console.log('turn-engine: installs, the example type-checks');

    const call = { id: 'call_1', name: 'add', arguments: '{"a":2,"b":3}' };
    const server = await startModelServer({ script: [callsStep(call), textStep(ANSWER)] });
    try {
      const output = await run(process.execPath, ['example.ts'], { BASE_URL: server.url, MODEL: 'scripted-model' });
      const answered = server.requests.at(-1)?.raw.includes('"content":"5"') ?? false;
      if (!answered || !output.includes(ANSWER)) throw new Error(`The example ran, but printed this:\n${output}`);
    } finally {
      await server.close();
    }
    console.log('turn-engine: the example runs');
  });
}

/** Libraries are checked too, because a type that leads nowhere is a fault only there. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    types: ['node'],
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
  },
  include: ['example.ts'],
};

/** @throws when the declarations mention a workspace package that a stranger cannot install */
function checkTypeImports(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const foreign = /from ['"](@hermes\/(?!turn-engine)[^'"]+)['"]/.exec(readFileSync(join(folder, name), 'utf8'));
    if (foreign !== null) throw new Error(`${name} of the packed turn-engine imports ${foreign[1]}.`);
  }
}

function nodeTypes(): string {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies['@types/node'];
}
