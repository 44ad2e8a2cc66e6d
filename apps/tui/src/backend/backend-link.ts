import type { HostClient } from '@hermes/host/rpc';
import { messageOf } from '@hermes/runtime';
import type { UiMessage } from '../state/message.ts';
import { type BackendConnection, holdFrames } from './connection.ts';
import { EventBatch } from './event-batch.ts';
import { type CallEffect, performCall } from './perform-call.ts';

/** The backend is started again at most 3 times in 60 s (CLI spec 8.1). */
const MAX_RESTARTS = 3;
const RESTART_WINDOW_MS = 60_000;

/** After its connection closed a backend has this long to tell why, and at the end to go by itself. */
const EXIT_WAIT_MS = 250;

interface BackendLinkOptions {
  readonly connect: () => BackendConnection;
  readonly dispatch: (message: UiMessage) => void;
  readonly version: string;
  readonly profile: string;
}

/** Keeps a backend running and speaks with it. Whatever happens to it becomes a message; nothing is thrown. */
export class BackendLink {
  readonly #options: BackendLinkOptions;
  readonly #batch: EventBatch;
  readonly #deaths: number[] = [];
  #connection: BackendConnection | undefined;
  /** Set while calls can be made; answers of an older connection are dropped. */
  #client: HostClient | undefined;
  #everReady = false;
  #toldNoise = false;
  #closing = false;

  constructor(options: BackendLinkOptions) {
    this.#options = options;
    this.#batch = new EventBatch((events) => options.dispatch({ type: 'host.events', events }));
  }

  async start(): Promise<void> {
    try {
      const connection = this.#options.connect();
      this.#connection = connection;
      const transport = holdFrames(connection.transport);
      const ended = exitOf(connection);
      const { HostClient, PROTOCOL_VERSION } = await import('@hermes/host/rpc');
      const client = new HostClient(transport);
      this.#client = client;
      client.onEvent((event) => this.#batch.add(event));
      client.onProtocolError(() => this.#noise());
      client.onClose(() => {
        if (this.#client === client) this.#client = undefined;
        void ended().then((reason) => this.#died(reason));
      });
      await this.#greet(client, PROTOCOL_VERSION);
    } catch (error) {
      this.#options.dispatch({ type: 'backend.down', reason: messageOf(error), everReady: this.#everReady });
    }
  }

  perform(effect: CallEffect): void {
    const client = this.#client;
    if (!client) return;
    void performCall(client, effect).then((message) => {
      // What was told before the answer is seen before it.
      if (client !== this.#client || !message) return;
      this.#batch.flush();
      this.#options.dispatch(message);
    });
  }

  /** Ends the connection; a backend that does not end by itself is ended. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#client?.close();
    const connection = this.#connection;
    if (!connection) return;
    await exitOf(connection)();
    connection.kill();
  }

  async #greet(client: HostClient, protocol: number): Promise<void> {
    const { dispatch, version, profile } = this.#options;
    try {
      await client.ready;
      const hello = await client.call('hello', { protocol, app_version: version, profile });
      const { commands } = await client.call('commands.catalog', {});
      this.#everReady = true;
      dispatch({ type: 'backend.ready', hello, commands });
    } catch (error) {
      // A closed connection is the business of `#died`; a refusal will not be another one the next time.
      if (client !== this.#client) return;
      this.#closing = true;
      dispatch({ type: 'backend.down', reason: messageOf(error), everReady: this.#everReady });
    }
  }

  #died(reason: string): void {
    if (this.#closing) return;
    this.#batch.flush();
    const now = performance.now();
    this.#deaths.push(now);
    const recent = this.#deaths.filter((at) => now - at < RESTART_WINDOW_MS);
    if (recent.length > MAX_RESTARTS) {
      this.#options.dispatch({ type: 'backend.down', reason, everReady: this.#everReady });
      return;
    }
    this.#options.dispatch({ type: 'backend.lost', reason });
    void this.start();
  }

  #noise(): void {
    if (this.#toldNoise) return;
    this.#toldNoise = true;
    this.#options.dispatch({ type: 'backend.noise' });
  }
}

/** A way to wait for the reason of the backend's end, in its own words if they come in time, else empty. */
function exitOf(connection: BackendConnection): () => Promise<string> {
  const exit = Promise.withResolvers<string>();
  connection.onExit(exit.resolve);
  return () => {
    const timer = setTimeout(() => exit.resolve(''), EXIT_WAIT_MS);
    return exit.promise.finally(() => clearTimeout(timer));
  };
}
