import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal: AbortSignal;
}

/** Sends one request and resolves with the head of the answer; its body is still to be read. Never follows a redirect. */
export type HttpTransport = (request: HttpRequest) => Promise<IncomingMessage>;

export interface HttpTransportOptions {
  /**
   * The environment's proxy variables (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`). Default: no proxy. Servers on this machine
   * are reached without one in any case: a proxy would look for them on its own.
   */
  readonly proxyEnv?: Readonly<Record<string, string | undefined>>;
}

interface Stack {
  readonly agent: Agent;
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
}

const LOOPBACK = /^(localhost|127\..*|\[::1\])$/;

/**
 * Idle connections are dropped after this time. Small servers close theirs after five seconds, and a request sent into a
 * closing connection is lost; opening a new one costs less than that.
 */
const IDLE_CONNECTION_MS = 4_000;

/**
 * The HTTP stack of model calls, on `node:http`. The global `fetch` is not used on purpose: it ends a request whose head
 * or next byte takes longer than 300 s, which a long prompt on a local server does, and loading it costs start-up time.
 *
 * @example
 * const transport = createHttpTransport();
 * const response = await transport({ method: 'GET', url, headers: {}, signal });
 */
export function createHttpTransport(options: HttpTransportOptions = {}): HttpTransport {
  const stacks = new Map<string, Promise<Stack>>();
  return async (request) => {
    const url = new URL(request.url);
    const proxyEnv = LOOPBACK.test(url.hostname) ? undefined : options.proxyEnv;
    const key = `${url.protocol}${proxyEnv === undefined ? '' : ' by proxy'}`;
    const stack = stacks.get(key) ?? loadStack(url.protocol, proxyEnv);
    stacks.set(key, stack);
    return send(await stack, url, request);
  };
}

async function loadStack(protocol: string, proxyEnv: HttpTransportOptions['proxyEnv']): Promise<Stack> {
  const settings = { keepAlive: true, timeout: IDLE_CONNECTION_MS, ...(proxyEnv === undefined ? {} : { proxyEnv }) };
  if (protocol === 'https:') {
    const { Agent, request } = await import('node:https');
    return { agent: new Agent(settings), request };
  }
  const { Agent, request } = await import('node:http');
  return { agent: new Agent(settings), request };
}

function send(stack: Stack, url: URL, { method, headers, body, signal }: HttpRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = stack.request(url, { method, headers, agent: stack.agent, signal });
    request.once('response', resolve);
    // Stays: after the answer has begun, its own stream reports what goes wrong with the connection.
    request.on('error', reject);
    request.end(body);
  });
}
