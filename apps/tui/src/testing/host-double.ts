import {
  type EventPayload,
  type EventType,
  events,
  type FrameTransport,
  type MethodName,
  type MethodResult,
  methods,
  PROTOCOL_VERSION,
  RpcErrorCode,
} from '@hermes/host/rpc';

type Params<M extends MethodName> = ReturnType<(typeof methods)[M]['params']['parse']>;
type Handler<M extends MethodName> = (params: Params<M>) => MethodResult<M> | Promise<MethodResult<M>>;
export type Handlers = { readonly [M in MethodName]?: Handler<M> };

type Session = MethodResult<'session.create'>['session'];
type Route = NonNullable<MethodResult<'hello'>['route']>;

interface Request {
  readonly method: MethodName;
  readonly params: unknown;
}

const NO_USAGE = { input: 0, output: 0, cache_read: 0, cache_write: 0, reasoning: 0 };

const ROUTE: Route = {
  provider: 'example',
  model: 'example-large',
  base_url: 'http://127.0.0.1:9/v1',
  context_window: 128_000,
  scripted: false,
};

export const HELLO: MethodResult<'hello'> = {
  protocol: PROTOCOL_VERSION,
  version: '1.0.0',
  profile: 'default',
  home: '/home/user/.hermes',
  route: ROUTE,
  route_problem: null,
  busy_input: 'steer',
  show_reasoning: true,
  config_warnings: [],
};

/**
 * A host that speaks the contract over a real transport and does what the test says. What it receives and sends is
 * checked against the contract, so that a test cannot drift from it.
 *
 * @example
 * const host = new HostDouble(lineTransport(socket, socket));
 * const { text } = await host.received('prompt.submit');
 * host.delta('Hello'); host.complete('Hello');
 */
export class HostDouble {
  readonly #transport: FrameTransport;
  readonly #handlers: Handlers;
  readonly #requests: Request[] = [];
  readonly #waiting = new Set<() => void>();
  #seq = 0;
  #turns = 0;
  #sessionId = 'session-1';

  constructor(transport: FrameTransport, handlers: Handlers = {}) {
    this.#transport = transport;
    this.#handlers = handlers;
    transport.onFrame((frame) => void this.#receive(frame));
    this.#send({
      method: 'gateway.ready',
      params: { protocol_version: PROTOCOL_VERSION, version: '1.0.0', replay_epoch: 'epoch-1' },
    });
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  /** How often a method was called. */
  count(method: MethodName): number {
    return this.#requests.filter((request) => request.method === method).length;
  }

  /** Parameters of the `nth` call (from 1) of a method; waits for it. */
  async received<M extends MethodName>(method: M, nth = 1): Promise<Params<M>> {
    for (;;) {
      const call = this.#requests.filter((request) => request.method === method)[nth - 1];
      if (call) return call.params as Params<M>;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  emit<T extends EventType>(type: T, payload: EventPayload<T>): void {
    const params = { type, session_id: this.#sessionId, seq: ++this.#seq, payload: events[type].parse(payload) };
    this.#send({ method: 'event', params });
  }

  delta(text: string): void {
    this.emit('message.delta', { turn_id: this.#turnId, text });
  }

  reasoning(text: string): void {
    this.emit('reasoning.delta', { turn_id: this.#turnId, text });
  }

  startTool(callId: string, name: string, summary: string): void {
    this.emit('tool.start', { turn_id: this.#turnId, call_id: callId, name, summary, position: 0 });
  }

  toolOutput(callId: string, text: string): void {
    this.emit('tool.progress', { turn_id: this.#turnId, call_id: callId, text });
  }

  endTool(callId: string, name: string, preview: string, more: Partial<EventPayload<'tool.complete'>> = {}): void {
    const status = 'ok' as const;
    this.emit('tool.complete', {
      turn_id: this.#turnId,
      call_id: callId,
      name,
      status,
      duration_ms: 1200,
      preview,
      ...more,
    });
  }

  complete(text: string, more: Partial<EventPayload<'message.complete'>> = {}): void {
    this.emit('message.complete', {
      turn_id: this.#turnId,
      status: 'completed',
      end_reason: 'final_text',
      text,
      explanation: null,
      usage: NO_USAGE,
      api_calls: 1,
      duration_ms: 3400,
      ...more,
    });
    this.emit('status.update', { kind: 'idle', text: '' });
  }

  /** Something on the line that is not of the protocol. */
  noise(text: string): void {
    this.#transport.send(text);
  }

  close(): void {
    this.#transport.close();
  }

  get #turnId(): string {
    return `turn-${this.#turns}`;
  }

  readonly #defaults: { readonly [M in MethodName]: Handler<M> } = {
    hello: () => HELLO,
    'session.create': ({ cwd }) => ({ session: session(this.#sessionId, { cwd }) }),
    'session.resume': ({ ref }) => {
      this.#sessionId = ref;
      return { session: session(ref), epoch: 'epoch-1', latest_seq: 0, running: false };
    },
    'session.list': () => ({ sessions: [] }),
    'session.history': () => ({ blocks: [], has_more: false }),
    'session.events.since': () => ({ events: [], latest_seq: 0, truncated: false, epoch: 'epoch-1' }),
    'session.interrupt': () => ({ interrupted: true }),
    'prompt.submit': ({ text }) => {
      const admission_id = `admission-${++this.#turns}`;
      this.emit('message.start', { turn_id: this.#turnId, admission_id, text });
      return { status: 'streaming', admission_id, position: 0 };
    },
    'model.options': () => ({ options: [] }),
    'setup.select_model': ({ provider, model }) => ({ route: { ...ROUTE, provider, model }, notice: '' }),
    'config.get': () => ({ value: null }),
    'commands.catalog': () => ({
      commands: [{ name: 'status', aliases: [], arguments: '', description: 'What this session uses' }],
    }),
    'command.dispatch': ({ text }) => ({ type: 'exec', output: `answer to ${text}` }),
  };

  async #receive(frame: string): Promise<void> {
    const { id, method, params } = JSON.parse(frame) as { id: number; method: MethodName; params: unknown };
    try {
      const parsed: unknown = methods[method].params.parse(params);
      this.#requests.push({ method, params: parsed });
      for (const resolve of this.#waiting) resolve();
      this.#waiting.clear();
      const handler = (this.#handlers[method] ?? this.#defaults[method]) as (params: unknown) => unknown;
      this.#send({ id, result: methods[method].result.parse(await handler(parsed)) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#send({ id, error: { code: RpcErrorCode.internal, message } });
    }
  }

  #send(message: object): void {
    this.#transport.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}

/** A session as the host describes it. */
export function session(id: string, more: Partial<Session> = {}): Session {
  return {
    session_id: id,
    title: null,
    source: 'tui',
    cwd: '/home/user/project',
    model: 'example-large',
    started_at: Date.now(),
    last_activity_at: Date.now(),
    message_count: 0,
    preview: '',
    ...more,
  };
}
