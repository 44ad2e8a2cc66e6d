import { RULES } from './rules.mjs';

/**
 * Configuration for dependency-cruiser. `npm run check` prints each broken rule together with its comment.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: RULES,
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage)/' },
    // Type imports couple packages as much as value imports do.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
