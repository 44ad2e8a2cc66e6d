import { stat } from 'node:fs/promises';
import { ExitCode, HermesError, messageOf } from '@hermes/runtime';
import { StoreError } from '@hermes/session-db';
import type { Session } from '@hermes/turn-engine';
import * as z from 'zod';
import type { Host } from '../host/host.ts';
import { persistModel } from '../host/persist-model.ts';
import { historyBlocks } from '../sessions/history-blocks.ts';
import { toSessionInfo } from '../sessions/session-info.ts';
import { RpcError, type FrameTransport } from '../rpc/client.ts';
import {
  type HostEvent,
  type MethodName,
  type MethodResult,
  methods,
  PROTOCOL_VERSION,
  type RouteInfo,
  RpcErrorCode,
} from '../rpc/contract.ts';
import { toRpcEvents } from './event-mapping.ts';
import { EventRing } from './event-ring.ts';

type Handlers = {
  readonly [M in MethodName]: (params: z.output<(typeof methods)[M]['params']>) => Promise<MethodResult<M>>;
};

const requestSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string()]),
  method: z.string(),
  params: z.unknown().optional(),
});

/**
 * Serves one host to one connection. Requests are checked against the contract before anything happens; every event of a session
 * that the client has opened is sent, numbered, in order.
 *
 * @example
 * const server = new RpcServer(host, lineTransport(process.stdin, process.stdout), '1.0.0');
 * await server.closed;
 */
export class RpcServer {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  readonly #host: Host;
  readonly #transport: FrameTransport;
  readonly #version: string;
  readonly #ring = new EventRing();
  readonly #sessions = new Map<string, Session>();
  /** Answers of requests that changed something, so that a repeated one changes nothing. */
  readonly #receipts = new Map<string, Promise<unknown>>();

  constructor(host: Host, transport: FrameTransport, version: string) {
    this.#host = host;
    this.#transport = transport;
    this.#version = version;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    transport.onFrame((frame) => void this.#receive(frame));
    transport.onClose(() => resolve());
    this.#send({
      jsonrpc: '2.0',
      method: 'gateway.ready',
      params: { protocol_version: PROTOCOL_VERSION, version, replay_epoch: this.#ring.epoch },
    });
  }

  readonly #handlers: Handlers = {
    hello: async (params) => {
      if (params.protocol !== PROTOCOL_VERSION) {
        throw new RpcError(
          RpcErrorCode.invalidRequest,
          `This host speaks protocol ${PROTOCOL_VERSION}, the client ${params.protocol}. Restart the older of the two.`,
        );
      }
      const { state } = this.#host.model;
      return {
        protocol: PROTOCOL_VERSION,
        version: this.#version,
        profile: this.#host.scope.profile,
        home: this.#host.scope.home,
        route: state.ok ? routeInfo(state.route) : null,
        route_problem: state.ok ? null : [state.error.message, ...state.error.hints].join('\n'),
        config_warnings: this.#host.settings.warnings.map((warning) => warning.message),
        busy_input: this.#host.busyInput,
        show_reasoning: this.#host.config.display.show_reasoning,
      };
    },
    'session.create': async (params) => {
      await requireDirectory(params.cwd);
      const session = await this.#host.createSession(params.source, params.cwd);
      this.#watch(session);
      return { session: await this.#info(session.id) };
    },
    'session.resume': async (params) => {
      const session = await this.#host.resumeSession(params.ref, params.cwd === undefined ? {} : { cwd: params.cwd });
      this.#watch(session);
      return {
        session: await this.#info(session.id),
        epoch: this.#ring.epoch,
        latest_seq: this.#ring.latestSeq(session.id),
        running: session.running,
      };
    },
    'session.list': async ({ limit }) => ({
      sessions: (await this.#host.store.listSessions({ limit, includeHidden: false })).map(toSessionInfo),
    }),
    'session.history': async ({ session_id: id, before_row: beforeRow, limit }) => {
      await this.#info(id);
      const rows = await this.#host.store.visibleRows(id, {
        limit: limit + 1,
        ...(beforeRow === undefined ? {} : { beforeId: beforeRow }),
      });
      const page = rows.slice(-limit);
      return {
        blocks: await historyBlocks(page, (name) => this.#host.engine.tools.find(name)),
        has_more: rows.length > limit,
      };
    },
    'session.events.since': async ({ session_id: id, epoch, last_seen: lastSeen }) => {
      const { events, truncated } = this.#ring.since(id, epoch, lastSeen);
      return { events: [...events], truncated, latest_seq: this.#ring.latestSeq(id), epoch: this.#ring.epoch };
    },
    'session.interrupt': async ({ session_id: id }) => ({ interrupted: this.#opened(id).interrupt() }),
    'prompt.submit': async (params) => this.#submit(params),
    'model.options': async ({ probe_local: probeLocal }) => ({
      options: await this.#host.modelOptions({ probeLocal }),
    }),
    'setup.select_model': async ({ provider, model, base_url: baseUrl, persist }) => {
      const route = this.#host.model.select({ provider, model }, baseUrl);
      const notice = persist
        ? await persistModel(this.#host, route)
        : `Using ${provider}/${model} until Hermes is closed.`;
      return { route: routeInfo(route), notice };
    },
    'config.get': async ({ key }) => ({ value: valueAt(this.#host.config, key) }),
    'commands.catalog': async () => ({ commands: [...this.#host.commands.catalog] }),
    'command.dispatch': async ({ session_id: sessionId, text }) =>
      this.#host.commands.dispatch(text, { host: this.#host, sessionId }),
  };

  async #submit(params: z.output<(typeof methods)['prompt.submit']['params']>): Promise<MethodResult<'prompt.submit'>> {
    const session = this.#opened(params.session_id);
    this.#host.model.client();
    const submission = await session.submit(params.text, {
      requestId: params.request_id,
      intent: params.intent,
      limit: this.#host.turnLimit,
    });
    const { admission, status } = submission;
    const state = status === 'steered' ? 'steering' : 'queued';
    if (status !== 'streaming') {
      this.#emit(session.id, {
        type: 'admission.updated',
        payload: { admission_id: admission.id, state, text: params.text },
      });
    }
    const open = await this.#host.store.openAdmissions(session.id);
    return { status, admission_id: admission.id, position: open.findIndex(({ id }) => id === admission.id) };
  }

  async #receive(frame: string): Promise<void> {
    const request = parseRequest(frame);
    if ('error' in request) {
      this.#send({ jsonrpc: '2.0', id: null, error: request.error });
      return;
    }
    const { id, method } = request;
    try {
      this.#send({ jsonrpc: '2.0', id, result: await this.#dispatch(method, request.params ?? {}) });
    } catch (error) {
      this.#send({ jsonrpc: '2.0', id, error: toRpcError(error) });
      if (!(error instanceof RpcError || error instanceof HermesError || error instanceof StoreError)) {
        this.#host.log.error('a request failed', { method, error });
      }
    }
  }

  #dispatch(method: string, params: unknown): Promise<unknown> {
    if (!isMethod(method)) throw new RpcError(RpcErrorCode.methodNotFound, `There is no method ${method}.`);
    const parsed = methods[method].params.safeParse(params);
    if (!parsed.success) {
      throw new RpcError(
        RpcErrorCode.invalidParams,
        `Parameters of ${method} do not fit: ${z.prettifyError(parsed.error)}`,
      );
    }
    const handler = this.#handlers[method] as (params: unknown) => Promise<unknown>;
    const requestId = 'request_id' in parsed.data ? `${method} ${parsed.data.request_id}` : undefined;
    if (requestId === undefined) return handler(parsed.data);
    const earlier = this.#receipts.get(requestId);
    if (earlier) return earlier;
    const answer = handler(parsed.data);
    this.#receipts.set(requestId, answer);
    answer.catch(() => this.#receipts.delete(requestId));
    return answer;
  }

  #watch(session: Session): void {
    if (this.#sessions.has(session.id)) return;
    this.#sessions.set(session.id, session);
    let shown: string | undefined;
    session.onEvent((event) => {
      for (const outgoing of toRpcEvents(event)) this.#emit(session.id, outgoing);
      if (event.type !== 'turn.ended' || shown !== undefined) return;
      this.#info(session.id).then(
        ({ title }) => {
          if (title === null || title === shown) return;
          shown = title;
          this.#emit(session.id, { type: 'session.title', payload: { title } });
        },
        (error: unknown) => this.#host.log.warn('the title could not be read', { session: session.id, error }),
      );
    });
  }

  #emit(sessionId: string, event: Parameters<EventRing['add']>[1]): void {
    const numbered: HostEvent = this.#ring.add(sessionId, event);
    this.#send({ jsonrpc: '2.0', method: 'event', params: numbered });
  }

  #opened(id: string): Session {
    const session = this.#sessions.get(id);
    if (!session)
      throw new RpcError(RpcErrorCode.unknownSession, `Session ${id} is not open here: create or resume it first.`);
    return session;
  }

  async #info(id: string) {
    const session = await this.#host.store.session(id);
    if (!session) throw new RpcError(RpcErrorCode.unknownSession, `There is no session ${id}.`);
    return toSessionInfo(session);
  }

  #send(message: object): void {
    this.#transport.send(JSON.stringify(message));
  }
}

function parseRequest(
  frame: string,
): z.output<typeof requestSchema> | { readonly error: { code: number; message: string } } {
  let value: unknown;
  try {
    value = JSON.parse(frame);
  } catch {
    return { error: { code: RpcErrorCode.parse, message: 'The frame is not JSON.' } };
  }
  const parsed = requestSchema.safeParse(value);
  return parsed.success
    ? parsed.data
    : { error: { code: RpcErrorCode.invalidRequest, message: 'The frame is not a JSON-RPC 2.0 request.' } };
}

function toRpcError(error: unknown): { code: number; message: string; data?: { name: string } } {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  if (error instanceof HermesError) {
    const code = error.exitCode === ExitCode.usage ? RpcErrorCode.invalidParams : RpcErrorCode.internal;
    return { code, message: [error.message, ...error.hints].join('\n'), data: { name: error.code } };
  }
  if (error instanceof StoreError)
    return { code: RpcErrorCode.internal, message: error.message, data: { name: error.code } };
  return { code: RpcErrorCode.internal, message: messageOf(error) };
}

async function requireDirectory(path: string): Promise<void> {
  const info = await stat(path).catch(() => undefined);
  if (!info?.isDirectory()) throw new RpcError(RpcErrorCode.badCwd, `${path} is not a directory.`);
}

function isMethod(method: string): method is MethodName {
  return Object.hasOwn(methods, method);
}

function routeInfo(route: {
  provider: string;
  model: string;
  baseUrl: string;
  contextWindow: number;
  apiMode: string;
}): RouteInfo {
  return {
    provider: route.provider,
    model: route.model,
    base_url: route.baseUrl,
    context_window: route.contextWindow,
    scripted: route.apiMode === 'demo',
  };
}

function valueAt(config: object, key: string): unknown {
  return key.split('.').reduce<unknown>((value, name) => {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? Reflect.get(value, name)
      : undefined;
  }, config);
}
