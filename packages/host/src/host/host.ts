import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { probeLocalServers, type RouteInput } from '@hermes/providers';
import {
  childEnvironment,
  type Clock,
  createLogger,
  createRedactor,
  ensureHome,
  type Environment,
  type HomeScope,
  homePaths,
  loadSecrets,
  type Logger,
  systemClock,
} from '@hermes/runtime';
import { type Config, type ConfigOverrides, type LoadedConfig, loadConfig } from '@hermes/runtime/config';
import type { SessionStore } from '@hermes/session-db';
import { openSqliteStore } from '@hermes/session-db/sqlite';
import { MemoryStore, memoryTool, type MemoryTarget } from '@hermes/learning-loop';
import { createEngine, type Engine, type Session } from '@hermes/turn-engine';
import { CommandRegistry } from '../commands/command-registry.ts';
import { renderSessionPrompt } from '../prompt/render-prompt.ts';
import type { ModelOption } from '../rpc/contract.ts';
import { resolveSession, type ResolveOptions } from '../sessions/resolve-session.ts';
import { titleFrom } from '../sessions/title.ts';
import { concealSecrets } from './conceal-secrets.ts';
import { ModelChoice } from './model-choice.ts';
import { configuredTools } from './session-tools.ts';

/** Model calls of one turn when the settings name no number (turn spec 4). */
const DEFAULT_TURN_LIMIT = 500;
/** What "no limit" means to the engine, which always has one. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

export interface HostOptions {
  readonly scope: HomeScope;
  readonly env: Environment;
  /** Name of the door, written into the lease: `tui`, `cli`, `oneshot`. */
  readonly surface: string;
  /** Directory of new sessions; absolute. */
  readonly cwd: string;
  /** Model asked for in this call; wins over the settings. */
  readonly model?: RouteInput;
  /** Settings given on the command line. */
  readonly flags?: ConfigOverrides;
  /** Only tools of these sets. */
  readonly toolsets?: readonly string[];
  /** Leaves out SOUL.md, project files and memory. */
  readonly ignoreRules?: boolean;
  readonly clock?: Clock;
}

/**
 * One opened profile: settings, model, store, tools and engine, composed. Doors submit input here and hear events; they hold no
 * rules of their own.
 *
 * @example
 * const host = await openHost({ scope, env: processEnvironment(), surface: 'cli', cwd: process.cwd() });
 * const session = await host.createSession('cli');
 */
export class Host {
  readonly scope: HomeScope;
  readonly settings: LoadedConfig;
  readonly store: SessionStore;
  readonly engine: Engine;
  readonly model: ModelChoice;
  readonly commands = new CommandRegistry();
  readonly log: Logger;
  readonly cwd: string;
  readonly clock: Clock;

  constructor(parts: {
    readonly scope: HomeScope;
    readonly settings: LoadedConfig;
    readonly store: SessionStore;
    readonly engine: Engine;
    readonly model: ModelChoice;
    readonly log: Logger;
    readonly cwd: string;
    readonly clock: Clock;
  }) {
    this.scope = parts.scope;
    this.settings = parts.settings;
    this.store = parts.store;
    this.engine = parts.engine;
    this.model = parts.model;
    this.log = parts.log;
    this.cwd = parts.cwd;
    this.clock = parts.clock;
  }

  get config(): Config {
    return this.settings.config;
  }

  /** Most model calls of one turn. */
  get turnLimit(): number {
    const { max_turns: limit } = this.config.agent;
    if (limit === null) return DEFAULT_TURN_LIMIT;
    return limit === 0 ? UNLIMITED : limit;
  }

  /** What input does while a turn runs, in a terminal. */
  get busyInput(): 'steer' | 'queue' {
    return this.config.display.busy_input_mode === 'queue' ? 'queue' : 'steer';
  }

  /** Begins a session. Its commands start in `terminal.cwd`, seen from `cwd`. */
  async createSession(source: string, cwd: string = this.cwd): Promise<Session> {
    const start = resolve(cwd, this.config.terminal.cwd.replace(/^~(?=$|\/)/u, homedir));
    const { state } = this.model;
    const { provider, model } = state.ok ? state.route : { provider: '', model: '' };
    const { profile } = this.scope;
    const record = await this.store.createSession({ source, profile, cwd: start, provider, model });
    return this.openSession(record.id);
  }

  /** Opens a session by id, unique prefix, title or `latest`. Throws a usage error when there is none. */
  async resumeSession(ref: string, options: ResolveOptions = {}): Promise<Session> {
    return this.openSession((await resolveSession(this.store, ref, options)).id);
  }

  async openSession(id: string): Promise<Session> {
    const session = await this.engine.openSession({ resume: id });
    session.onEvent((event) => {
      if (event.type === 'turn.started') {
        this.store
          .proposeTitle(id, titleFrom(event.input))
          .catch((error: unknown) => this.log.warn('the session could not be given a title', { session: id, error }));
      } else if (event.type === 'turn.ended') {
        const { outcome, endReason, apiCalls, toolCalls, durationMs, cleanupErrors, failure } = event.result;
        this.log.info('turn ended', {
          session: id,
          outcome,
          endReason,
          apiCalls,
          toolCalls,
          durationMs,
          cleanupErrors,
          failure,
        });
      } else if (event.type === 'retry.scheduled') {
        this.log.warn('model call failed', {
          session: id,
          reason: event.reason,
          attempt: event.attempt,
          message: event.message,
        });
      }
    });
    return session;
  }

  /** Models to choose from: the configured ones, servers found on this machine, and the demo. */
  async modelOptions(options: { readonly probeLocal: boolean }): Promise<ModelOption[]> {
    const { state } = this.model;
    const isCurrent = (provider: string, model: string) =>
      state.ok && state.route.provider === provider && state.route.model === model;
    const option = (provider: string, model: string, baseUrl: string, origin: ModelOption['origin']): ModelOption => ({
      provider,
      model,
      base_url: baseUrl,
      origin,
      current: isCurrent(provider, model),
    });
    const configured = Object.entries(this.config.providers).flatMap(([id, provider]) =>
      Object.keys(provider.models).map((model) => option(id, model, provider.base_url, 'config')),
    );
    const current =
      state.ok && state.route.provider !== 'demo' && !configured.some(({ current: chosen }) => chosen)
        ? [option(state.route.provider, state.route.model, state.route.baseUrl, 'config')]
        : [];
    const local = options.probeLocal ? await probeLocalServers() : [];
    const found = local.flatMap((server) =>
      server.models.map((model) => option(server.name, model, server.baseUrl, 'local')),
    );
    return [...current, ...configured, ...found, option('demo', 'scripted', '', 'demo')];
  }

  async close(): Promise<void> {
    await this.engine.close();
    this.log.close();
  }
}

/** Opens a profile. Makes its home when it is not there; throws `HermesError` or `StoreError` when it cannot be used. */
export async function openHost(options: HostOptions): Promise<Host> {
  const clock = options.clock ?? systemClock;
  const { scope, env } = options;
  const paths = homePaths(scope.home);
  await ensureHome(scope);
  const found = loadSecrets({ path: paths.env, shell: env }).secrets;
  const settings = await loadConfig({
    home: scope.home,
    secrets: found,
    env,
    ...(options.flags ? { flags: options.flags } : {}),
  });
  const { config } = settings;
  const secrets = found.declaring(Object.values(config.providers).map((provider) => provider.key_env));
  const redact = createRedactor(secrets.values());
  const log = createLogger({
    dir: paths.logs,
    level: config.logging.level,
    clock,
    redact,
    profile: scope.profile,
    component: options.surface,
  });
  const store = await openSqliteStore({ path: paths.stateDatabase, clock });
  const model = new ModelChoice({ settings, secrets, input: options.model ?? {}, proxyEnv: env });
  const memory = new MemoryStore({
    dir: paths.memories,
    limits: { memory: config.memory.memory_char_limit, user: config.memory.user_char_limit },
  });
  const targets = memoryTargets(config);
  const tools = [
    ...configuredTools({ commandTimeoutSeconds: config.terminal.timeout }),
    ...(targets.length > 0 ? [memoryTool(memory, targets)] : []),
  ];
  const { toolsets } = options;
  const engine = createEngine({
    model: () => model.client(),
    tools: toolsets ? tools.filter((tool) => toolsets.includes(tool.toolset)) : tools,
    store,
    systemPrompt: (session, list) =>
      renderSessionPrompt(session, list, {
        scope,
        config,
        memory,
        memoryTargets: targets,
        route: model.client().route,
        ignoreRules: options.ignoreRules ?? false,
      }),
    cwd: options.cwd,
    childEnv: childEnvironment(env, secrets),
    cacheDir: paths.cache,
    conceal: concealSecrets(secrets),
    clock,
    maxRetries: config.agent.api_max_retries,
    surface: options.surface,
  });
  return new Host({ scope, settings, store, engine, model, log, cwd: options.cwd, clock });
}

function memoryTargets(config: Config): readonly MemoryTarget[] {
  return [
    ...(config.memory.memory_enabled ? (['memory'] as const) : []),
    ...(config.memory.user_profile_enabled ? (['user'] as const) : []),
  ];
}
