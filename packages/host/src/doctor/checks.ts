import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { homePaths, loadSecrets } from '@hermes/runtime';
import { loadConfig } from '@hermes/runtime/config';
import { checkDatabase } from '@hermes/session-db/sqlite';
import { ModelChoice } from '../host/model-choice.ts';
import type { DoctorCheck, DoctorContext } from './check.ts';

/** Less free space than this is worth a warning (CLI spec 7). */
const LOW_DISK_BYTES = 1024 ** 3;

const runtime: DoctorCheck = {
  id: 'runtime',
  run: async () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const good = (major === 22 && minor >= 18) || (major === 24 && minor >= 11) || major >= 26;
    const detail = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
    return [good ? ok(detail) : { severity: 'error', detail, fix: 'Use Node 22.18, 24.11 or newer.' }];
  },
};

const home: DoctorCheck = {
  id: 'home',
  run: async ({ scope }) => {
    const stats = statSync(scope.home, { throwIfNoEntry: false });
    if (!stats) return [{ severity: 'info', detail: `${scope.home} does not exist yet`, fix: null }];
    if (!stats.isDirectory())
      return [
        { severity: 'error', detail: `${scope.home} is not a directory`, fix: 'Move it away, or set HERMES_HOME.' },
      ];
    const rows = [];
    try {
      accessSync(scope.home, constants.W_OK);
    } catch {
      rows.push({
        severity: 'error' as const,
        detail: `${scope.home} is not writable`,
        fix: `chmod u+w ${scope.home}`,
      });
    }
    if ((stats.mode & 0o077) !== 0) {
      rows.push({
        severity: 'warning' as const,
        detail: `${scope.home} can be read by others`,
        fix: `chmod 700 ${scope.home}`,
      });
    }
    const disk = statfsSync(scope.home);
    const free = disk.bavail * disk.bsize;
    if (free < LOW_DISK_BYTES) {
      rows.push({
        severity: 'warning' as const,
        detail: `only ${Math.round(free / 1024 ** 2)} MiB free`,
        fix: 'Free some disk space.',
      });
    }
    return rows.length > 0 ? rows : [ok(`${scope.home} (profile ${scope.profile})`)];
  },
};

const configFile: DoctorCheck = {
  id: 'config.file',
  run: async (context) => {
    const { settings } = await loadSettings(context);
    if (settings.warnings.length === 0)
      return [ok(settings.source.kind === 'file' ? settings.source.path : 'defaults')];
    const severity = settings.broken ? 'error' : 'warning';
    return settings.warnings.map(({ message }) => ({
      severity,
      detail: message,
      fix: `Edit ${homePaths(context.scope.home).config}.`,
    }));
  },
};

const configEnv: DoctorCheck = {
  id: 'config.env',
  run: async (context) => {
    const path = homePaths(context.scope.home).env;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return [{ severity: 'info', detail: 'no .env yet', fix: null }];
    const { findings } = loadSecrets({ path, shell: context.env });
    const rows = findings.map(({ message }) => ({
      severity: 'warning' as const,
      detail: message,
      fix: `Edit ${path}.`,
    }));
    const open = (stats.mode & 0o077) !== 0;
    return [
      ...(open
        ? [{ severity: 'error' as const, detail: `${path} can be read by others`, fix: `chmod 600 ${path}` }]
        : []),
      ...(rows.length > 0 ? rows : open ? [] : [ok(path)]),
    ];
  },
};

const model: DoctorCheck = {
  id: 'model',
  run: async (context) => {
    const { settings, secrets } = await loadSettings(context);
    const { state } = new ModelChoice({ settings, secrets, input: {}, proxyEnv: context.env });
    if (!state.ok)
      return [{ severity: 'warning', detail: state.error.message, fix: state.error.hints.join(' · ') || null }];
    const { provider, model: name, contextWindow, contextWindowAssumed } = state.route;
    const detail = `${provider}/${name}, window ${contextWindow} tokens`;
    if (!contextWindowAssumed) return [ok(detail)];
    const fix = `hermes config set model.context_length N`;
    return [{ severity: 'warning', detail: `${detail}, assumed because nobody knows this model`, fix }];
  },
};

const stateDatabase: DoctorCheck = {
  id: 'state.db',
  run: async ({ scope }) => {
    const path = homePaths(scope.home).stateDatabase;
    const check = checkDatabase(path);
    switch (check.state) {
      case 'missing':
        return [{ severity: 'info', detail: 'no sessions yet', fix: null }];
      case 'ok':
        return [ok(`${check.sessions} sessions, ${(check.bytes / 1024 ** 2).toFixed(1)} MiB, schema ${check.schema}`)];
      case 'older':
        return [
          {
            severity: 'info',
            detail: `schema ${check.schema} becomes ${check.newest} when Hermes next opens it`,
            fix: null,
          },
        ];
      case 'newer':
        return [
          {
            severity: 'error',
            detail: `schema ${check.schema} is newer than this version knows (${check.newest})`,
            fix: 'Update Hermes.',
          },
        ];
      case 'damaged':
        return [
          {
            severity: 'error',
            detail: `${path} is damaged: ${check.problem}`,
            fix: `Keep a copy of ${path}, then move it away to start anew.`,
          },
        ];
    }
  },
};

const terminal: DoctorCheck = {
  id: 'terminal',
  run: async ({ env, terminal: screen }) => {
    if (!screen) return [{ severity: 'info', detail: 'not a terminal', fix: null }];
    const detail = `${env.TERM ?? 'TERM unset'}, ${screen.columns}x${screen.rows}, ${screen.colors} colours`;
    const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
    if (!/utf-?8/iu.test(locale)) {
      return [
        {
          severity: 'warning',
          detail: `${detail}; the locale ${locale || '(unset)'} is not UTF-8`,
          fix: 'export LANG=C.UTF-8',
        },
      ];
    }
    return [ok(detail)];
  },
};

const tools: DoctorCheck = {
  id: 'tools',
  run: async ({ env }) => {
    const wanted = [
      { name: 'bash', fix: 'Install bash: without it commands run in /bin/sh.' },
      { name: 'git', fix: 'Install git: without it projects are not recognised.' },
    ];
    const missing = wanted.filter(({ name }) => !onPath(name, env.PATH ?? ''));
    if (missing.length === 0) return [ok('bash, git')];
    return missing.map(({ name, fix }) => ({ severity: 'warning', detail: `${name} is not on PATH`, fix }));
  },
};

/** The checks in the order they are shown. */
export const doctorChecks: readonly DoctorCheck[] = [
  runtime,
  terminal,
  configFile,
  configEnv,
  model,
  home,
  stateDatabase,
  tools,
];

async function loadSettings({ scope, env }: DoctorContext) {
  const { secrets } = loadSecrets({ path: homePaths(scope.home).env, shell: env });
  return { secrets, settings: await loadConfig({ home: scope.home, secrets, env }) };
}

function ok(detail: string) {
  return { severity: 'ok' as const, detail, fix: null };
}

function onPath(name: string, path: string): boolean {
  return path.split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
