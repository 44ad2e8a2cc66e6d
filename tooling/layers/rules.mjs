import { LAYERS } from './order.mjs';

/** @typedef {import('dependency-cruiser').IForbiddenRuleType} Rule */

const UNIT = '^(packages|apps|tooling)/([^/]+)/';
const FACES = ['^[^/]+/[^/]+/src/index\\.ts$', '^[^/]+/[^/]+/src/[^/]+/index\\.ts$', '^apps/cli/src/main\\.ts$'];
const BUILD_FILE = '/tsup\\.config\\.ts$';
const TEST_OR_BENCH = '\\.(test|bench)\\.tsx?$|/testing/';

/**
 * Anchored, so that `packages/tools` does not mean `packages/tools-extra`.
 *
 * @param {string} folder
 */
const inside = (folder) => `^${folder}/`;

const order = LAYERS.map((layer) => layer.map((folder) => folder.split('/')[1]).join(' = ')).join(' < ');

/** @type {Rule[]} */
const layerRules = LAYERS.flatMap((layer, height) =>
  layer.map((folder) => {
    const beside = layer.filter((other) => other !== folder);
    return {
      name: `layer-of-${folder.split('/')[1]}`,
      severity: 'error',
      comment:
        `${folder} may import only lower layers (${order} < apps). Move the code to the layer that needs it, ` +
        'or let the lower layer declare an interface that the higher one fills.',
      from: { path: inside(folder) },
      to: { path: [...beside, ...LAYERS.slice(height + 1).flat()].map(inside).concat('^apps/', '^tests/') },
    };
  }),
);

/** @type {Rule[]} */
const doorRules = [
  {
    name: 'apps-apart',
    severity: 'error',
    comment: 'An app is a door of its own and imports no other app. What two doors share belongs into packages/host.',
    from: { path: '^apps/([^/]+)/', pathNot: '^apps/cli/' },
    to: { path: '^apps/', pathNot: '^apps/$1/' },
  },
  {
    name: 'cli-opens-apps-lazily',
    severity: 'error',
    comment:
      'apps/cli may start another app, but only by a dynamic import() in the function that starts it; ' +
      'else every command pays for loading that app.',
    from: { path: '^apps/cli/', pathNot: TEST_OR_BENCH },
    to: { path: '^apps/', pathNot: '^apps/cli/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
  },
  {
    name: 'no-tooling-in-sources',
    severity: 'error',
    comment: 'Tooling is for tests, benchmarks and builds; what ships must not need it.',
    from: { path: '^(packages|apps)/[^/]+/src/', pathNot: TEST_OR_BENCH },
    to: { path: '^(tooling|tests)/' },
  },
];

/** @type {Rule[]} */
const faceRules = [
  {
    name: 'no-deep-imports',
    severity: 'error',
    comment:
      'Import a package through its face: src/index.ts, or src/<part>/index.ts where its "exports" name the part. ' +
      'If something is missing there, export it there.',
    from: { path: UNIT, pathNot: BUILD_FILE },
    to: { path: UNIT, pathNot: ['^$1/$2/', ...FACES] },
  },
  {
    name: 'no-deep-imports-from-tests',
    severity: 'error',
    comment: 'Tests that cross packages use the same faces as everybody else: src/index.ts or src/<part>/index.ts.',
    from: { path: '^tests/' },
    to: { path: UNIT, pathNot: FACES },
  },
  {
    name: 'by-name-across-packages',
    severity: 'error',
    comment:
      'Another package is imported by its name (@hermes/...), not by a path, so that its "exports" and the manifest hold.',
    from: { path: UNIT, pathNot: BUILD_FILE },
    to: { path: UNIT, pathNot: '^$1/$2/', dependencyTypes: ['local'] },
  },
];

/** @type {Rule[]} */
const graphRules = [
  {
    name: 'no-cycles',
    severity: 'error',
    comment: 'These files import each other in a circle. Move what both need into a file of its own.',
    from: {},
    // A type alone may point back: it leaves no trace at run time, so no file is loaded before it is complete.
    to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  },
  {
    name: 'not-in-manifest',
    severity: 'error',
    comment:
      "The package.json of this package does not list the import. Add it with an exact version, or don't use it.",
    from: { path: '^(packages|apps|tooling)/[^/]+/src/', pathNot: TEST_OR_BENCH },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-unresolved',
    severity: 'error',
    comment:
      'This import leads nowhere. Check the path (with its .ts ending), the "exports" of the other package, ' +
      'and that the package.json of this one lists it.',
    from: {},
    to: { couldNotResolve: true },
  },
];

export const RULES = [...layerRules, ...doorRules, ...faceRules, ...graphRules];
