import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callsStep, startModelServer, textStep } from '@hermes/model-server';
import { type Project, withProject } from './project.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const [FIRST, WITH_SDK] = ['ten-lines.ts', 'ai-sdk.ts'];
const EXAMPLES = [FIRST, WITH_SDK];
const COMPILER = join(ROOT, 'node_modules', '@typescript', 'native', 'bin', 'tsc');

const SDK = '@ai-sdk/openai-compatible';

const ANSWER = 'The packed engine answers.';

/**
 * The examples of the documentation must type-check and run against the packed library, with nothing of the workspace in
 * reach. An example finds its model server through BASE_URL and MODEL, and prints the answer.
 */
export async function checkLibrary(tarball: string): Promise<void> {
  const tools = [
    `@types/node@${pinned('package.json', '@types/node')}`,
    `${SDK}@${pinned('packages/providers/package.json', SDK)}`,
  ];
  await withProject([tarball, ...tools], async ({ folder, run }) => {
    checkTypeImports(join(folder, 'node_modules', '@hermes', 'turn-engine', 'dist'));
    for (const name of EXAMPLES) copyFileSync(join(ROOT, 'docs', 'examples', name), join(folder, name));
    await checkTypes({ folder, run }, FIRST, STRICT);
    await checkTypes({ folder, run }, WITH_SDK, { ...STRICT, skipLibCheck: true });
    console.log('turn-engine: installs, the examples type-check');
    for (const name of EXAMPLES) await runExample(name, run);
    console.log('turn-engine: the examples run');
  });
}

async function runExample(name: string, run: Project['run']): Promise<void> {
  const call = { id: 'call_1', name: 'add', arguments: '{"a":2,"b":3}' };
  const server = await startModelServer({ script: [callsStep(call), textStep(ANSWER)] });
  try {
    const output = await run(process.execPath, [name], { BASE_URL: server.url, MODEL: 'scripted-model' });
    const answered = server.requests.at(-1)?.raw.includes('"content":"5"') ?? false;
    if (!answered || !output.includes(ANSWER)) throw new Error(`${name} ran, but printed this:\n${output}`);
  } finally {
    await server.close();
  }
}

/** Libraries are checked too, because a type that leads nowhere is a fault only there; the SDK's own do not pass that. */
const STRICT = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  types: ['node'],
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
};

async function checkTypes({ folder, run }: Project, example: string, compilerOptions: object): Promise<void> {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [example] }));
  await run(process.execPath, [COMPILER, '-p', '.']);
}

/** @throws when the declarations mention a workspace package that a stranger cannot install */
function checkTypeImports(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const foreign = /from ['"](@hermes\/(?!turn-engine)[^'"]+)['"]/.exec(readFileSync(join(folder, name), 'utf8'));
    if (foreign !== null) throw new Error(`${name} of the packed turn-engine imports ${foreign[1]}.`);
  }
}

/** The version that a package file of the workspace asks for. */
function pinned(file: string, name: string): string {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')).devDependencies[name];
}
