import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STATIC_CHECKS } from './checks.ts';
import { toolScript } from './repository.ts';

const HERE = import.meta.dirname;
const REPORTER = new URL('../vitest/summary-reporter.ts', import.meta.url).href;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hermes-checks-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function node(args: readonly string[], cwd = folder): Promise<{ status: number | null; lines: readonly string[] }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1' };
    const child = execFile(process.execPath, args, { cwd, env }, (_error, stdout) => {
      resolve({ status: child.exitCode, lines: stdout.trimEnd().split('\n') });
    });
  });
}

describe('the static checks', () => {
  const stage = (checks: readonly object[]) => {
    const module = JSON.stringify(new URL('./static-stage.ts', import.meta.url).href);
    const code = `import { runStaticChecks } from ${module};
      console.log('failed: ' + await runStaticChecks(${JSON.stringify(checks)}));`;
    return node(['--input-type=module', '-e', code]);
  };

  test('print a line each, and then what the failed ones said and what to do about it', async () => {
    const { lines } = await stage([
      { name: 'good', args: ['-e', 'console.log("not shown")'] },
      { name: 'bad', args: ['-e', 'console.error("the reason"); process.exitCode = 3'], remedy: 'Mend it.' },
    ]);
    expect(lines.filter((line) => /^(ok|FAILED)/.test(line)).map((line) => line.split(/ +/).slice(0, 2))).toEqual(
      expect.arrayContaining([
        ['ok', 'good'],
        ['FAILED', 'bad'],
      ]),
    );
    expect(lines.join('\n')).toContain('── bad ──\nthe reason\nMend it.');
    expect(lines.join('\n')).not.toContain('not shown');
    expect(lines.at(-1)).toBe('failed: 1');
  });

  test('name tools that are installed', () => {
    for (const { args } of STATIC_CHECKS) expect(readFileSync(args[0] ?? '', 'utf8')).not.toBe('');
  });
});

describe('the closing line', () => {
  test('counts tests, and a file that cannot be loaded as a failure', async () => {
    writeFileSync(join(folder, 'good.test.mjs'), "test('a', () => {}); test('b', () => {}); test.skip('c', () => {});");
    writeFileSync(join(folder, 'bad.test.mjs'), "test('a', () => {}); test('b', () => { throw new Error('no'); });");
    writeFileSync(join(folder, 'broken.test.mjs'), "import './nowhere.mjs';");
    writeFileSync(
      join(folder, 'config.mjs'),
      `import { SummaryReporter } from ${JSON.stringify(REPORTER)};
       export default { test: { globals: true, reporters: [new SummaryReporter('summary')] } };`,
    );
    const { status } = await node([toolScript('vitest'), 'run', '--config', 'config.mjs']);
    expect(readFileSync(join(folder, 'summary'), 'utf8')).toBe('3 passed, 2 failed\n');
    expect(status).toBe(1);
  });

  test('does not read like a pass when no test ran', async () => {
    const { status, lines } = await node([join(HERE, 'main.ts'), 'test', 'no-file-has-this-name']);
    expect(lines.at(-1)).toBe('0 passed, 1 failed');
    expect(status).toBe(1);
  });
});
