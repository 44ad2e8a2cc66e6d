import { checkTree } from './check-tree.ts';
import type { CheckedConfig, ConfigWarning } from './checked-config.ts';
import { readYaml, type YamlFault } from './yaml-text.ts';

/** Parses and checks the text of a `config.yaml`. Loads the YAML reader and the schema: import this file lazily. */
export function checkText(text: string): CheckedConfig | { readonly fault: YamlFault } {
  const read = readYaml(text);
  if ('fault' in read) return read;
  const { values, warnings } = checkTree(read.tree);
  const duplicates = read.duplicates.map(
    ({ line, column }): ConfigWarning => ({
      kind: 'duplicate_key',
      message: `Line ${line}, column ${column}: this key is written before; the last one counts.`,
    }),
  );
  return { values, warnings: [...duplicates, ...warnings] };
}
