import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './summary-reporter.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const summary = process.env.HERMES_TEST_SUMMARY;

const folders = ['packages', 'apps', 'tooling']
  .flatMap((group) => readdirSync(`${root}${group}`).map((name) => `${group}/${name}`))
  .filter((folder) => existsSync(`${root}${folder}/package.json`))
  .concat('tests');

export default defineConfig({
  root,
  test: {
    reporters: summary === undefined ? ['default'] : ['default', new SummaryReporter(summary)],
    projects: folders.map((folder) => ({
      extends: true as const,
      root: `${root}${folder}`,
      test: {
        name: folder.split('/').at(-1) ?? folder,
        include: ['**/*.test.{ts,tsx}'],
        exclude: ['**/node_modules/**', '**/dist/**'],
        benchmark: { include: ['**/*.bench.{ts,tsx}'], exclude: ['**/node_modules/**', '**/dist/**'] },
        testTimeout: 20_000,
      },
    })),
    coverage: {
      provider: 'v8',
      reporter: ['text', 'json-summary'],
      include: ['packages/*/src/**', 'apps/*/src/**'],
    },
  },
});
