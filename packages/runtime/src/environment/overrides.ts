import type { Environment } from './process-environment.ts';

export interface EnvironmentOverride {
  readonly name: string;
  readonly meaning: string;
}

/**
 * Every variable, besides credentials, that changes what Hermes does. The list is published and stays short: a new
 * plain setting becomes a key of `config.yaml`, never a variable (CLI spec 5.1).
 */
export const ENVIRONMENT_OVERRIDES: readonly EnvironmentOverride[] = [
  { name: 'HERMES_HOME', meaning: 'home directory of the profile' },
  { name: 'HERMES_MANAGED_DIR', meaning: 'directory of the managed configuration' },
  { name: 'HERMES_INFERENCE_MODEL', meaning: 'model for this run, as --model' },
  { name: 'HERMES_LANGUAGE', meaning: 'language of the interface, as --lang' },
  { name: 'HERMES_TUI', meaning: '1 opens the full-screen interface, as --tui' },
  { name: 'HERMES_TUI_THEME', meaning: 'light or dark' },
  { name: 'HERMES_TUI_TRACE', meaning: 'file for a performance trace of the interface' },
  { name: 'HERMES_YOLO_MODE', meaning: '1 skips approval prompts, as --yolo' },
  { name: 'HERMES_SAFE_MODE', meaning: '1 starts with defaults only, as --safe-mode' },
  { name: 'HERMES_ACCEPT_HOOKS', meaning: '1 consents to new shell hooks, as --accept-hooks' },
  { name: 'HERMES_ENABLE_PROJECT_PLUGINS', meaning: '1 loads plugins found in the project' },
  { name: 'HERMES_WRITE_SAFE_ROOT', meaning: 'directories outside of which nothing is written' },
  { name: 'HTTP_PROXY', meaning: 'proxy for http requests' },
  { name: 'HTTPS_PROXY', meaning: 'proxy for https requests' },
  { name: 'ALL_PROXY', meaning: 'proxy for all requests' },
  { name: 'NO_PROXY', meaning: 'hosts reached without a proxy' },
  { name: 'INVOCATION_ID', meaning: 'set by systemd: the process is supervised' },
];

/** A variable's value, undefined when it is unset or empty; names that only look set, such as `constructor`, are not. */
export function variable(env: Environment, name: string): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value === '' ? undefined : value;
}

/** Whether a switch variable is on: 1, true, yes or on. */
export function isSwitchedOn(env: Environment, name: string): boolean {
  return /^(?:1|true|yes|on)$/i.test(variable(env, name)?.trim() ?? '');
}
