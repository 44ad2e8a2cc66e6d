import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { everythingBut } from './manifest.ts';

const TSUP = join(import.meta.dirname, '../../node_modules/tsup/dist/cli-default.js');

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-build-')));
  write('package.json', JSON.stringify({ name: 'app', type: 'module', dependencies: { native: '1.0.0' } }));
  write(
    'tsup.config.ts',
    `import { appBundle } from ${JSON.stringify(join(import.meta.dirname, 'app.ts'))};
    export default appBundle();`,
  );
  write('tsconfig.json', '{}');
  write('node_modules/native/package.json', '{}');
  write('node_modules/common/package.json', '{}');
  write('node_modules/native/index.js', "module.exports = 'native';");
  write('node_modules/common/index.js', "module.exports = typeof require('fs').statSync + process.env.NODE_ENV;");
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(file: string, content: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
}

function node(...args: readonly string[]): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, NO_COLOR: '1' };
    const child = execFile(process.execPath, args, { cwd: root, env }, (_error, stdout, stderr) => {
      resolve({ status: child.exitCode, output: stdout + stderr });
    });
  });
}

test('an app is one file that starts at once and a chunk for each lazy part', async () => {
  write('src/main.ts', "console.log('started'); if (process.argv[2]) (await import('./lazy.ts')).work();");
  write(
    'src/lazy.ts',
    "import common from 'common'; import native from 'native'; export const work = () => console.log(common, native);",
  );
  write('dist/chunk-yesterday.js', '');
  write('dist/chunk-today.js', '');
  utimesSync(join(root, 'dist/chunk-yesterday.js'), 0, 0);
  expect(await node(TSUP)).toEqual({ status: 0, output: '' });

  expect(readFileSync(join(root, 'dist/main.js'), 'utf8')).not.toContain('statSync');
  expect(await node('dist/main.js')).toEqual({ status: 0, output: 'started\n' });
  expect(await node('dist/main.js', 'lazy')).toEqual({ status: 0, output: 'started\nfunctionproduction native\n' });

  const files = readdirSync(join(root, 'dist'));
  expect(files).toContain('chunk-today.js');
  expect(files).not.toContain('chunk-yesterday.js');
  rmSync(join(root, 'node_modules/common'), { recursive: true });
  expect((await node('dist/main.js', 'lazy')).status).toBe(0);
  rmSync(join(root, 'node_modules/native'), { recursive: true });
  expect((await node('dist/main.js', 'lazy')).output).toContain("Cannot find package 'native'");
});

test('a build fails that would need a package nobody installs', async () => {
  write('src/main.ts', "await import('absent-and-optional').catch(() => undefined);");
  const { status, output } = await node(TSUP);
  expect(status).toBe(1);
  expect(output).toContain('imports absent-and-optional, which is neither bundled nor among');
});

test.each([
  ['better-sqlite3', false],
  ['better-sqlite3/lib/x.js', false],
  ['better-sqlite3-extra', true],
  ['@a/b', false],
  ['@a/bc', true],
  ['kysely', true],
])('%s is bundled: %s', (path, bundled) => {
  expect(everythingBut(['better-sqlite3', '@a/b']).test(path)).toBe(bundled);
  expect(everythingBut([]).test(path)).toBe(true);
});
