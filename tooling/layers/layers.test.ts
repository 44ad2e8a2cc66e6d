import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const CRUISER = join(import.meta.dirname, '../../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const CONFIG = join(import.meta.dirname, 'config.mjs');

/** Sources of a tree that breaks no rule. */
const CLEAN: Readonly<Record<string, string>> = {
  'packages/runtime/src/index.ts': "export { now } from './clock/clock.ts';",
  'packages/runtime/src/clock/clock.ts': 'export const now = () => 1;',
  'packages/providers/src/index.ts': "import { now } from '@hermes/runtime'; export const call = now;",
  'packages/tools/src/index.ts': "export type { now as Now } from '@hermes/runtime'; export const tool = 1;",
  'packages/tools/src/tool.test.ts': "import '@hermes/model-server'; import { tool } from './index.ts'; tool;",
  'packages/host/src/index.ts': "import { call } from '@hermes/providers'; export const host = call;",
  'packages/host/src/back.ts': "import type { forth } from './forth.ts'; export type Back = typeof forth;",
  'packages/host/src/forth.ts': "export type { Back } from './back.ts'; import './back.ts'; export const forth = 1;",
  'packages/host/src/rpc/index.ts': 'export const rpc = 1;',
  'packages/scheduler/src/index.ts': "import { host } from '@hermes/host'; export const tick = host;",
  'packages/messaging/src/index.ts': "import { rpc } from '@hermes/host/rpc'; export const send = rpc;",
  'apps/tui/src/index.ts': "import { host } from '@hermes/host'; export const paint = host;",
  'apps/cli/src/main.ts': "import type { paint } from '@hermes/tui'; export const p = () => import('@hermes/tui');",
  'tooling/model-server/src/index.ts': 'export const server = 1;',
  'tests/all.test.ts':
    "import { host } from '@hermes/host'; import { server } from '@hermes/model-server'; host; server;",
};

/** A file for each way to break a rule, and the rule that must name it. */
const PLANTED: ReadonlyArray<{ file: string; source: string; rule: string }> = [
  { file: 'packages/runtime/src/up.ts', source: "import '@hermes/providers';", rule: 'layer-of-runtime' },
  {
    file: 'packages/runtime/src/up-type.ts',
    source: "import type { call } from '@hermes/providers';",
    rule: 'layer-of-runtime',
  },
  { file: 'packages/tools/src/up-lazy.ts', source: "export const h = import('@hermes/host');", rule: 'layer-of-tools' },
  { file: 'packages/providers/src/up-app.ts', source: "import '@hermes/tui';", rule: 'layer-of-providers' },
  { file: 'packages/scheduler/src/beside.ts', source: "import '@hermes/messaging';", rule: 'layer-of-scheduler' },
  { file: 'apps/tui/src/door.ts', source: "import '@hermes/cli';", rule: 'apps-apart' },
  { file: 'apps/cli/src/eager.ts', source: "import '@hermes/tui';", rule: 'cli-opens-apps-lazily' },
  { file: 'packages/tools/src/tooling.ts', source: "import '@hermes/model-server';", rule: 'no-tooling-in-sources' },
  {
    file: 'packages/host/src/deep.ts',
    source: "import '../../runtime/src/clock/clock.ts';",
    rule: 'no-deep-imports',
  },
  {
    file: 'packages/host/src/path.ts',
    source: "import '../../runtime/src/index.ts';",
    rule: 'by-name-across-packages',
  },
  {
    file: 'packages/host/src/hidden.ts',
    source: "import '@hermes/runtime/src/clock/clock.ts';",
    rule: 'no-unresolved',
  },
  {
    file: 'tests/deep.test.ts',
    source: "import '../packages/runtime/src/clock/clock.ts';",
    rule: 'no-deep-imports-from-tests',
  },
  { file: 'packages/host/src/circle-a.ts', source: "import './circle-b.ts';", rule: 'no-cycles' },
  { file: 'packages/host/src/undeclared.ts', source: "import 'leftpad';", rule: 'not-in-manifest' },
  { file: 'packages/providers/src/undeclared.ts', source: "import '@hermes/tools';", rule: 'no-unresolved' },
  { file: 'packages/host/src/missing.ts', source: "import './nowhere.ts';", rule: 'no-unresolved' },
];

const OTHER_HALF_OF_THE_CIRCLE = { 'packages/host/src/circle-b.ts': "import './circle-a.ts';" };

const DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  'packages/runtime': ['packages/providers'],
  'packages/providers': ['packages/runtime', 'apps/tui'],
  'packages/tools': ['packages/runtime', 'packages/host', 'tooling/model-server'],
  'packages/host': ['packages/runtime', 'packages/providers'],
  'packages/scheduler': ['packages/host', 'packages/messaging'],
  'packages/messaging': ['packages/host'],
  'apps/tui': ['packages/host', 'apps/cli'],
  'apps/cli': ['apps/tui'],
  'tooling/model-server': [],
  tests: ['packages/host', 'tooling/model-server'],
};

const EXPORTS: Readonly<Record<string, object>> = {
  'packages/host': { '.': './src/index.ts', './rpc': './src/rpc/index.ts' },
  'apps/cli': { '.': './src/main.ts' },
};

let clean: string;
let broken: string;

beforeAll(() => {
  clean = workspace(CLEAN);
  const planted = Object.fromEntries(PLANTED.map(({ file, source }) => [file, source]));
  broken = workspace({ ...CLEAN, ...OTHER_HALF_OF_THE_CIRCLE, ...planted });
});

afterAll(() => {
  rmSync(clean, { recursive: true });
  rmSync(broken, { recursive: true });
});

/** A workspace as pnpm lays it out: a package sees what its manifest lists, and the top has a package nobody lists. */
function workspace(sources: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-layers-')));
  const write = (file: string, content: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  };
  const name = (folder: string) => `@hermes/${folder.split('/').at(-1)}`;
  for (const [folder, dependencies] of Object.entries(DEPENDENCIES)) {
    const manifest = {
      name: name(folder),
      exports: EXPORTS[folder] ?? { '.': './src/index.ts' },
      dependencies: Object.fromEntries(dependencies.map((one) => [name(one), 'workspace:*'])),
    };
    write(`${folder}/package.json`, JSON.stringify(manifest));
    mkdirSync(join(root, folder, 'node_modules/@hermes'), { recursive: true });
    for (const one of dependencies) symlinkSync(join(root, one), join(root, folder, 'node_modules', name(one)));
  }
  write('package.json', JSON.stringify({ devDependencies: { leftpad: '1.0.0' } }));
  write('node_modules/leftpad/package.json', JSON.stringify({ name: 'leftpad', main: 'index.js' }));
  write('node_modules/leftpad/index.js', '');
  for (const [file, source] of Object.entries(sources)) write(file, source);
  return root;
}

function cruise(root: string, outputType: string): Promise<{ status: number; output: string }> {
  const args = [CRUISER, '--config', CONFIG, '--output-type', outputType, 'packages', 'apps', 'tests', 'tooling'];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: root, maxBuffer: 1e8 }, (_error, stdout) => {
      resolve({ status: child.exitCode ?? 1, output: stdout });
    });
  });
}

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

test.concurrent('a tree that follows the layers passes', async () => {
  const { status, output } = await cruise(clean, 'err-long');
  expect(output).toContain('no dependency violations found');
  expect(status).toBe(0);
});

test.concurrent('each way to break the layers is caught at the file that does it', async () => {
  const { output } = await cruise(broken, 'json');
  const { violations }: { violations: readonly Violation[] } = JSON.parse(output).summary;
  const caught = violations.map(({ from, rule }) => `${from}: ${rule.name}`);
  expect(caught).toEqual(expect.arrayContaining(PLANTED.map(({ file, rule }) => `${file}: ${rule}`)));
  const planted = new Set(PLANTED.map(({ file }) => file));
  expect(violations.filter(({ from }) => !planted.has(from))).toEqual([]);
});

test.concurrent('the report says what to do instead', async () => {
  const { status, output } = await cruise(broken, 'err-long');
  expect(status).toBeGreaterThan(0);
  const words = output.replaceAll(/\s+/g, ' ');
  expect(words).toContain('packages/runtime may import only lower layers (runtime < providers < context-engine');
  expect(words).toContain('scheduler = messaging < apps)');
  expect(words).toContain('only by a dynamic import()');
  expect(words).toContain('Import a package through its face');
  expect(words).toContain('Move what both need into a file of its own');
});
