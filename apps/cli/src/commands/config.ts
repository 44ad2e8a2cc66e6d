import { ensureHome, ExitCode, HermesError, homePaths, loadSecrets, redact, type SecretScope } from '@hermes/runtime';
import {
  configGet,
  configSet,
  configUnset,
  type ConfigChange,
  EFFECT_TEXT,
  loadConfig,
  type LoadedConfig,
} from '@hermes/runtime/config';
import { writeJson, writeOut } from '../output/write-out.ts';
import type { CallContext } from '../program/call-context.ts';

export async function getSetting(context: CallContext, key: string, flags: { json?: boolean }): Promise<number> {
  const { loaded, secrets } = await load(context);
  const reading = await configGet({ home: context.scope.home, name: key, loaded, secrets });
  if (reading.shown === undefined) {
    throw new HermesError('no_setting', `${key} is not set, and there is no setting of that name.`, {
      exitCode: ExitCode.failed,
      hints: ['hermes config show lists the settings.'],
    });
  }
  if (flags.json) await writeJson({ key, value: reading.kind === 'credential' ? reading.shown : reading.value });
  else await writeOut(`${reading.shown}\n`);
  return ExitCode.ok;
}

export async function setSetting(
  context: CallContext,
  name: string,
  value: string,
  flags: { force?: boolean; strict?: boolean },
): Promise<number> {
  const { home } = context.scope;
  await ensureHome(context.scope);
  const change = await configSet({ home, name, value, force: flags.force ?? false, strict: flags.strict ?? false });
  return report(change, change.changed ? 'Set' : 'Already');
}

export async function unsetSetting(context: CallContext, name: string): Promise<number> {
  const change = await configUnset({ home: context.scope.home, name });
  return report(change, change.changed ? 'Removed' : 'Was not set:');
}

export async function showSettings(context: CallContext, flags: { json?: boolean }): Promise<number> {
  const { loaded } = await load(context);
  if (flags.json) {
    await writeJson(loaded.config);
    return ExitCode.ok;
  }
  const { stringify } = await import('yaml');
  const origin =
    loaded.source.kind === 'defaults' ? `# defaults; ${loaded.source.path} sets nothing` : `# ${loaded.source.path}`;
  await writeOut(`${origin}\n${redact(stringify(loaded.config))}`);
  return ExitCode.ok;
}

export async function printPath({ scope }: CallContext): Promise<number> {
  await writeOut(`${homePaths(scope.home).config}\n`);
  return ExitCode.ok;
}

export async function printEnvPath({ scope }: CallContext): Promise<number> {
  await writeOut(`${homePaths(scope.home).env}\n`);
  return ExitCode.ok;
}

async function load({ scope, env }: CallContext): Promise<{ loaded: LoadedConfig; secrets: SecretScope }> {
  const { secrets } = loadSecrets({ path: homePaths(scope.home).env, shell: env });
  const loaded = await loadConfig({ home: scope.home, secrets, env });
  for (const warning of loaded.warnings) process.stderr.write(`hermes: ${warning.message}\n`);
  return { loaded, secrets };
}

async function report(change: ConfigChange, verb: string): Promise<number> {
  const value = change.shown === undefined ? '' : ` = ${change.shown}`;
  const effect = change.effect === undefined ? '' : ` (${EFFECT_TEXT[change.effect]})`;
  await writeOut(`${verb} ${change.key}${value} in ${change.file}${effect}\n`);
  for (const note of change.notes) process.stderr.write(`${note}\n`);
  for (const warning of change.warnings) process.stderr.write(`hermes: ${warning.message}\n`);
  return ExitCode.ok;
}
