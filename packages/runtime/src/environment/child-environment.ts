import type { Environment } from './process-environment.ts';
import { isHermesCredential } from './secret-names.ts';
import type { SecretScope } from './secret-scope.ts';

/** What every program needs; it stays even where `.env` names it too. */
const ESSENTIAL = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TERM|COLORTERM|TMPDIR|TZ|PWD|HERMES_HOME)$/;

/**
 * The environment of a shell that the agent starts: the parent's variables without any credential of Hermes, that
 * is provider keys, chat tokens, tool keys and every name the profile's scope holds through `.env` or its settings
 * (tools spec 17). Other variables of the user's shell, `AWS_PROFILE` or `PGPASSWORD`, stay: their programs need them.
 *
 * @example
 * spawn('sh', ['-c', command], { env: childEnvironment(processEnvironment(), secrets) });
 */
export function childEnvironment(env: Environment, secrets: SecretScope): Record<string, string> {
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (ESSENTIAL.test(name) || !(isHermesCredential(name) || secrets.owns(name))) child[name] = value;
  }
  return child;
}
