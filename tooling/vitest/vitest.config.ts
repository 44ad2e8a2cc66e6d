import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../../', import.meta.url));

const projects = ['packages', 'apps', 'tooling']
  .flatMap((folder) => readdirSync(`${root}${folder}`).map((name) => `${folder}/${name}`))
  .concat('tests');

export default defineConfig({
  root,
  test: {
    projects: projects.map((folder) => ({
      extends: true as const,
      root: `${root}${folder}`,
      test: {
        name: folder.split('/').at(-1) ?? folder,
        include: ['**/*.test.{ts,tsx,mjs}'],
        exclude: ['**/node_modules/**', '**/dist/**'],
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
