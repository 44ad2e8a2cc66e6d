/** Environment variables by name. Passed around as a value, so that a test or a profile can have its own. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A copy of the variables this process was started with. The only place in the project that reads `process.env`;
 * everything else is handed an `Environment`.
 *
 * @example
 * const scope = resolveHome({ env: processEnvironment(), platformHome: homedir() });
 */
export function processEnvironment(): Environment {
  return { ...process.env };
}
