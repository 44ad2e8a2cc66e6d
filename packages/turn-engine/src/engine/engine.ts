import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderPrompt } from '@hermes/context-engine';
import { HermesError, systemClock } from '@hermes/runtime';
import { currentHolder, type SessionRecord, type SessionStore } from '@hermes/session-db';
import { createMemoryStore } from '@hermes/session-db/memory';
import { ArgumentValidator, type ToolDefinition, type ToolList, ToolRegistry } from '@hermes/tool-registry';
import type { PromptDraft, TurnPorts } from '../turn/ports.ts';
import type { EngineOptions, EngineTool, OpenSessionOptions } from './engine-options.ts';
import { Session } from './session.ts';

const DEFAULT_PROMPT = 'You are a helpful assistant that acts through tools.';

/** What every session of an engine shares: the ports of a turn, less what belongs to one session or one turn. */
export type EngineParts = Omit<TurnPorts, 'events' | 'toolState' | 'memory' | 'takeSteers'>;

/** Sessions over one model, one set of tools and one store. Holds no state of its own that outlives them. */
export class Engine {
  readonly store: SessionStore;
  readonly tools: ToolList;
  readonly #parts: EngineParts;
  readonly #cwd: string;
  readonly #open = new Map<string, Session>();

  constructor(options: EngineOptions) {
    this.#parts = partsOf(options);
    this.store = this.#parts.store;
    this.tools = this.#parts.tools;
    this.#cwd = options.cwd ?? '/';
  }

  /** Begins a session, or opens an existing one; the same session is opened once. Rejects with `HermesError` when it is not there. */
  async openSession(options: OpenSessionOptions = {}): Promise<Session> {
    const record =
      options.resume === undefined ? await this.#create(options) : await this.store.session(options.resume);
    if (!record) throw new HermesError('session_not_found', `There is no session ${options.resume ?? ''}.`);
    const earlier = this.#open.get(record.id);
    if (earlier) return earlier;
    const session = new Session(record, this.#parts, () => this.#open.delete(record.id));
    this.#open.set(record.id, session);
    return session;
  }

  #create(options: OpenSessionOptions): Promise<SessionRecord> {
    const { provider, model } = this.#parts.client().route;
    const { source = 'library', profile = 'default', cwd = this.#cwd } = options;
    return this.store.createSession({ source, profile, cwd, provider, model });
  }

  /** Interrupts what runs, waits for it to end, closes sessions and store. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((session) => session.close()));
    await this.store.close();
  }
}

/**
 * Makes an engine. Reads no environment, starts nothing, touches no network.
 *
 * @example
 * const engine = createEngine({ model: chatModel({ baseUrl, model, apiKey }), tools: [weather] });
 * const session = await engine.openSession();
 * const run = session.run('How is the weather in Oslo?', { limit: 20 });
 * for await (const event of run.events) if (event.type === 'text.delta') process.stdout.write(event.text);
 * console.log((await run.result).outcome);
 */
export function createEngine(options: EngineOptions): Engine {
  return new Engine(options);
}

function partsOf(options: EngineOptions): EngineParts {
  const { model } = options;
  const clock = options.clock ?? systemClock;
  const registry = new ToolRegistry();
  for (const tool of options.tools ?? []) registry.register(completed(tool));
  return {
    store: options.store ?? createMemoryStore({ clock }),
    clock,
    client: typeof model === 'function' ? model : () => model,
    tools: registry.list(),
    validator: new ArgumentValidator(),
    renderPrompt: promptRenderer(options.systemPrompt ?? DEFAULT_PROMPT),
    holder: currentHolder(options.surface ?? 'library'),
    childEnv: options.childEnv ?? {},
    cacheDir: options.cacheDir ?? join(tmpdir(), 'hermes-turn-engine'),
    conceal: options.conceal ?? ((text) => text),
    limits: { maxRetries: options.maxRetries ?? 3, leaseWaitMs: options.leaseWaitMs ?? 1_800_000 },
    random: options.random ?? Math.random,
  };
}

function completed(tool: EngineTool): ToolDefinition {
  return { toolset: 'custom', parallel: 'barrier', effect: 'unknown', ...tool };
}

function promptRenderer(systemPrompt: NonNullable<EngineOptions['systemPrompt']>): TurnPorts['renderPrompt'] {
  if (typeof systemPrompt === 'function') return systemPrompt;
  const draft: PromptDraft = {
    prompt: renderPrompt({ stable: [systemPrompt], context: [], volatile: [] }),
    notices: [],
  };
  return async () => draft;
}
