import { toolScript } from './repository.ts';

export interface Check {
  readonly name: string;
  /** Arguments for Node: the tool's script and what it is told. */
  readonly args: readonly string[];
  /** What to do when it fails and the tool's own output does not say. */
  readonly remedy?: string;
}

/** Slowest first, so that the quick ones fill the gaps. */
export const STATIC_CHECKS: readonly Check[] = [
  {
    name: 'unused',
    args: [toolScript('knip'), '--config', 'tooling/lint/knip.json', '--no-progress', '--no-config-hints'],
    remedy: 'Remove what nobody uses, or export it from the index.ts of its package if it is part of its face.',
  },
  {
    // One program for everything: each package alone would check the sources of all packages below it again.
    name: 'types',
    args: [toolScript('@typescript/native', 'tsc'), '-p', 'tooling/tsconfig/everything.json'],
  },
  {
    name: 'lint',
    args: [toolScript('oxlint'), '-c', 'tooling/lint/oxlint.json', '--type-aware'],
  },
  {
    name: 'layers',
    args: [
      toolScript('dependency-cruiser', 'depcruise'),
      '--config=tooling/layers/config.mjs',
      '--output-type=err-long',
      'packages',
      'apps',
      'tests',
      'tooling',
    ],
  },
  {
    name: 'format',
    args: [toolScript('@biomejs/biome', 'biome'), 'format', '--config-path=tooling/format'],
    remedy: 'Run `npm run format`.',
  },
];
