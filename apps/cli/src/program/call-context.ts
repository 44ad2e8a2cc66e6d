import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  type Environment,
  ExitCode,
  HermesError,
  type HomeScope,
  processEnvironment,
  resolveHome,
} from '@hermes/runtime';
import type { ConfigOverrides } from '@hermes/runtime/config';
import type { HostOptions } from '@hermes/host';
import type { GlobalFlags } from './global-flags.ts';

/** What one call of the command runs in. */
export interface CallContext {
  readonly flags: GlobalFlags;
  readonly env: Environment;
  readonly scope: HomeScope;
  readonly cwd: string;
}

/** Finds profile and directory before anything else is decided. Throws usage errors. */
export function callContext(flags: GlobalFlags): CallContext {
  const env = processEnvironment();
  const scope = resolveHome({ env, profileFlag: flags.profile, platformHome: homedir() });
  return { flags, env, scope, cwd: workingDirectory(flags.in) };
}

function workingDirectory(into: string | undefined): string {
  if (into === undefined) return process.cwd();
  const path = resolve(into);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new HermesError('bad_directory', `--in ${into}: there is no such directory.`, { exitCode: ExitCode.usage });
  }
  return path;
}

/** Options of a host for this call. */
export function hostOptions(context: CallContext, surface: string): HostOptions {
  const { flags } = context;
  if (flags.provider !== undefined && flags.model === undefined) {
    throw new HermesError('usage', '--provider needs --model: name the model of that provider too.', {
      exitCode: ExitCode.usage,
    });
  }
  if (flags.demo && (flags.model !== undefined || flags.provider !== undefined)) {
    throw new HermesError('usage', '--demo is a model of its own: leave out --model and --provider.', {
      exitCode: ExitCode.usage,
    });
  }
  const model = flags.demo
    ? { provider: 'demo', model: 'scripted' }
    : {
        ...(flags.model === undefined ? {} : { model: flags.model }),
        ...(flags.provider === undefined ? {} : { provider: flags.provider }),
      };
  return {
    scope: context.scope,
    env: context.env,
    surface,
    cwd: context.cwd,
    model,
    flags: configFlags(flags),
    ...(flags.toolsets === undefined ? {} : { toolsets: toolsetList(flags.toolsets) }),
    ignoreRules: flags.ignoreRules ?? false,
  };
}

function configFlags(flags: GlobalFlags): ConfigOverrides {
  if (flags.maxTurns === undefined) return {};
  const limit = Number(flags.maxTurns);
  if (!Number.isInteger(limit) || limit < 1) {
    throw new HermesError('usage', `--max-turns ${flags.maxTurns}: a whole number from 1 is needed.`, {
      exitCode: ExitCode.usage,
    });
  }
  return { agent: { max_turns: limit } };
}

function toolsetList(csv: string): string[] {
  return csv
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
