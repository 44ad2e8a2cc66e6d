import * as z from 'zod';
import {
  type EventType,
  events,
  type HostEvent,
  type MethodName,
  type MethodParams,
  type MethodResult,
  methods,
  type ReadyParams,
  readyParams,
} from './contract.ts';
import { MAX_FRAME_BYTES } from './frame-limit.ts';

/** One end of a connection that carries whole frames (one JSON text each). */
export interface FrameTransport {
  /** Sends one frame. Returns false when the connection is closed. */
  send(frame: string): boolean;
  onFrame(listener: (frame: string) => void): void;
  onClose(listener: (cause: Error | null) => void): void;
  close(): void;
}

/** The host refused a request, or the answer did not fit the contract. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

interface PendingCall {
  readonly method: MethodName;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A typed client of the host's JSON-RPC surface. Requests are checked by the host, answers are checked here.
 * Every pending request is rejected when the connection closes.
 *
 * @example
 * const client = new HostClient(transport);
 * await client.ready;
 * await client.call('hello', { protocol: PROTOCOL_VERSION, app_version: '1.0.0' });
 * client.onEvent((event) => { if (event.type === 'message.delta') process.stdout.write(event.payload.text); });
 */
export class HostClient {
  /** Resolves with the host's greeting; rejects when the connection closes before it. */
  readonly ready: Promise<ReadyParams>;
  readonly #transport: FrameTransport;
  readonly #pending = new Map<number, PendingCall>();
  readonly #eventListeners = new Set<(event: HostEvent) => void>();
  readonly #closeListeners = new Set<(cause: Error | null) => void>();
  readonly #protocolErrorListeners = new Set<(text: string) => void>();
  #nextId = 1;
  #closed: { readonly cause: Error | null } | undefined;
  #greet: { resolve: (ready: ReadyParams) => void; reject: (error: Error) => void };

  constructor(transport: FrameTransport) {
    this.#transport = transport;
    const greeting = Promise.withResolvers<ReadyParams>();
    this.ready = greeting.promise;
    this.ready.catch(() => undefined);
    this.#greet = greeting;
    transport.onFrame((frame) => this.#receive(frame));
    transport.onClose((cause) => this.#close(cause));
  }

  /** Sends one request. Rejects with `RpcError` when the host refuses or the connection is closed. */
  call<M extends MethodName>(method: M, params: MethodParams<M>): Promise<MethodResult<M>> {
    if (this.#closed) return Promise.reject(new RpcError(0, 'The connection to the host is closed.'));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { method, resolve: (value) => resolve(value as MethodResult<M>), reject });
      if (!this.#transport.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))) {
        this.#pending.delete(id);
        reject(new RpcError(0, 'The connection to the host is closed.'));
      }
    });
  }

  /** Listens to every event of every session of this connection. Returns the way to stop. */
  onEvent(listener: (event: HostEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Called once when the connection ends; at once when it already has. `null` means it was closed on purpose. */
  onClose(listener: (cause: Error | null) => void): void {
    if (this.#closed) listener(this.#closed.cause);
    else this.#closeListeners.add(listener);
  }

  /** Called for each frame that is not of the protocol, e.g. a stray print of a library on the host's stdout. */
  onProtocolError(listener: (text: string) => void): void {
    this.#protocolErrorListeners.add(listener);
  }

  close(): void {
    this.#transport.close();
    this.#close(null);
  }

  #receive(frame: string): void {
    const message = frame.length > MAX_FRAME_BYTES ? undefined : parseFrame(frame);
    if (message === undefined) {
      for (const listener of this.#protocolErrorListeners) listener(frame.slice(0, 500));
      return;
    }
    if (message.method === 'gateway.ready') {
      this.#greet.resolve(readyParams.parse(message.params));
    } else if (message.method === 'event') {
      const event = parseEvent(message.params);
      if (event) for (const listener of this.#eventListeners) listener(event);
    } else if (typeof message.id === 'number') {
      this.#settle(message.id, message);
    }
  }

  #settle(id: number, message: Frame): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    if (message.error) {
      pending.reject(new RpcError(message.error.code, message.error.message));
      return;
    }
    const parsed = methods[pending.method].result.safeParse(message.result);
    if (parsed.success) pending.resolve(parsed.data);
    else
      pending.reject(
        new RpcError(0, `The host's answer to ${pending.method} does not fit the contract: ${parsed.error.message}`),
      );
  }

  #close(cause: Error | null): void {
    if (this.#closed) return;
    this.#closed = { cause };
    const error = new RpcError(
      0,
      cause ? `The host went away: ${cause.message}` : 'The connection to the host is closed.',
    );
    this.#greet.reject(error);
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
    for (const listener of this.#closeListeners) listener(cause);
    this.#closeListeners.clear();
  }
}

const frameSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});
type Frame = z.output<typeof frameSchema>;

const eventEnvelope = z.object({ type: z.string(), session_id: z.string(), seq: z.number(), payload: z.unknown() });

function parseFrame(frame: string): Frame | undefined {
  try {
    return frameSchema.safeParse(JSON.parse(frame)).data;
  } catch {
    return undefined;
  }
}

/** The event of a known type, checked; undefined for a type this version does not know, which is to be ignored. */
function parseEvent(params: unknown): HostEvent | undefined {
  const envelope = eventEnvelope.safeParse(params).data;
  if (!envelope || !(envelope.type in events)) return undefined;
  const payload = events[envelope.type as EventType].safeParse(envelope.payload);
  return payload.success ? ({ ...envelope, payload: payload.data } as HostEvent) : undefined;
}
