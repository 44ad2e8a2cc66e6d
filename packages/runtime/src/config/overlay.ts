import { isTree } from './dotted-name.ts';

/**
 * The settings with some leaves replaced; what `above` leaves out or leaves undefined stays. Neither is changed.
 *
 * @example
 * overlay(config, { display: { language: 'zh' } });
 */
export function overlay<T extends object>(below: T, above: object): T {
  const result = { ...below };
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined) continue;
    const under: unknown = Reflect.get(result, key);
    Reflect.set(result, key, isTree(under) && isTree(value) ? overlay(under, value) : value);
  }
  return result;
}
