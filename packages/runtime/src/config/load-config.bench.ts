import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test } from 'vitest';
import { SecretScope } from '../environment/secret-scope.ts';
import { loadConfig } from './load-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secrets = new SecretScope({ path: '', file: new Map(), shell: {} });
const SETTINGS =
  'model: {default: x, provider: lab}\nterminal: {timeout: 20}\nproviders:\n  lab: {base_url: "http://h"}\n';

function homeWith(name: string, text: string): string {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, 'config.yaml'), text);
  return home;
}

test('loading the configuration', async ({ bench }) => {
  const comments = homeWith('comments', '# nothing set\n');
  const settings = homeWith('settings', SETTINGS);
  const uncached = homeWith('uncached', SETTINGS);
  writeFileSync(join(uncached, 'cache'), '');
  const load = (home: string) => async () => void (await loadConfig({ home, secrets, env: {} }));

  await bench.compare(
    bench('a file of comments', load(comments)),
    bench('settings seen before', load(settings)),
    bench('settings parsed and checked, libraries loaded', load(uncached)),
  );
});
