import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type AnswerContext, answerBody, answerFrames } from './answer-frames.ts';
import { type RequestRecord, sharedPrefixBytes } from './request-log.ts';
import type { AnswerStep, ChatBody, HttpStep, RawStep, Script, Step, WireUsage } from './step.ts';
import { complaintAbout, isChatBody } from './validate-request.ts';

export interface ModelServerOptions {
  readonly script: Script;
  /** What `GET /v1/models` lists. Default one model, `scripted-model`. */
  readonly models?: readonly string[];
}

export interface ModelServer {
  /** Base URL with `/v1`, as a client is configured with it. */
  readonly url: string;
  /** Every request to the chat endpoint, refused ones too, in order of arrival. */
  readonly requests: readonly RequestRecord[];
  /** Resolves with the record as soon as the request with this index has been read. */
  received(index: number): Promise<RequestRecord>;
  /** Resolves with the record when the answer to the request with this index is over, however it ended. */
  ended(index: number): Promise<RequestRecord>;
  close(): Promise<void>;
}

/**
 * Starts a model server on 127.0.0.1 that speaks Chat Completions and answers by a script. It refuses requests that a
 * strict server would refuse (400, with the reason); those use up no step.
 *
 * @example
 * const server = await startModelServer({ script: [textStep('Hello')] });
 * // ... point a client at server.url ...
 * await server.close();
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const session = new ScriptedSession(options);
  const server = createServer((request, response) => {
    session.handle(request, response).catch((error: unknown) => response.destroy(toError(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}/v1`,
    requests: session.requests,
    received: (index) => session.when(index, () => true),
    ended: (index) => session.when(index, (record) => record.endedAt !== undefined),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

class ScriptedSession {
  readonly requests: RequestRecord[] = [];
  readonly #options: ModelServerOptions;
  readonly #watchers = new Set<() => void>();
  #used = 0;

  constructor(options: ModelServerOptions) {
    this.#options = options;
  }

  when(index: number, ready: (record: RequestRecord) => boolean): Promise<RequestRecord> {
    return new Promise((resolve) => {
      const look = () => {
        const record = this.requests[index];
        if (record === undefined || !ready(record)) return;
        this.#watchers.delete(look);
        resolve(record);
      };
      this.#watchers.add(look);
      look();
    });
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedAt = performance.now();
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (request.method === 'GET' && path === '/v1/models') return this.#sendModels(response);
    if (request.method === 'GET' && path === '/__log') return sendJson(response, 200, this.requests);
    const raw = await textOf(request);
    if (request.method !== 'POST' || path !== '/v1/chat/completions') {
      return sendJson(response, 404, { error: { message: `Unknown path ${path}`, type: 'invalid_request_error' } });
    }
    const connection = request.socket.remotePort;
    await this.#chat({ headers: request.headers, connection, raw, arrivedAt, receivedAt: performance.now() }, response);
  }

  async #chat(
    arrived: Pick<RequestRecord, 'headers' | 'connection' | 'raw' | 'arrivedAt' | 'receivedAt'>,
    response: ServerResponse,
  ): Promise<void> {
    const before = this.requests.at(-1);
    const record: RequestRecord = { index: this.requests.length, ...arrived, outcome: 'open' };
    this.requests.push(record);
    response.once('finish', () => this.#end(record, response, 'sent'));
    response.once('close', () => this.#end(record, response, 'client_closed'));
    this.#changed();
    const body = parse(arrived.raw);
    if (!isChatBody(body)) return refuse(record, response, body);
    const step = this.#nextStep(body);
    if (step.kind === 'silence') return;
    if (step.kind === 'http') return sendHttp(response, step);
    if (step.kind === 'raw') return this.#sendRaw(record, response, step);
    const prefix = before === undefined ? 0 : sharedPrefixBytes(before.raw, record.raw);
    await this.#sendAnswer(record, response, step, body, contextOf(record, step, body, prefix));
  }

  #nextStep(body: ChatBody): Step {
    const index = this.#used++;
    const { script } = this.#options;
    const step = typeof script === 'function' ? script(index, body) : script[index];
    return step ?? { kind: 'http', status: 400, body: errorBody(`The script has no step for request ${index}.`) };
  }

  async #sendAnswer(
    record: RequestRecord,
    response: ServerResponse,
    step: AnswerStep,
    body: ChatBody,
    context: AnswerContext,
  ): Promise<void> {
    if (step.firstByteDelayMs !== undefined) await delay(step.firstByteDelayMs);
    if (body.stream !== true) return sendBody(response, 200, answerBody(step, context));
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    response.flushHeaders();
    let sent = 0;
    for (const frame of answerFrames(step, context)) {
      if (sent === step.cutAfterChunks) return this.#cut(record, response);
      if (step.chunkDelayMs !== undefined) await delay(step.chunkDelayMs);
      if (response.destroyed) return;
      response.write(`data: ${frame}\n\n`);
      sent++;
    }
    response.end();
  }

  #sendRaw(record: RequestRecord, response: ServerResponse, step: RawStep): void {
    response.writeHead(200, { 'content-type': step.contentType ?? 'text/event-stream' });
    response.flushHeaders();
    for (const chunk of step.chunks) response.write(chunk);
    if (step.end === 'hold') return;
    if (step.end === 'cut') return this.#cut(record, response);
    response.end();
  }

  /** What was written still leaves, so that the client sees a stream that breaks and not one that never began. */
  #cut(record: RequestRecord, response: ServerResponse): void {
    this.#end(record, response, 'cut');
    response.socket?.destroySoon();
  }

  #sendModels(response: ServerResponse): void {
    const models = this.#options.models ?? ['scripted-model'];
    sendJson(response, 200, {
      object: 'list',
      data: models.map((id) => ({ id, object: 'model', owned_by: 'script' })),
    });
  }

  #end(record: RequestRecord, response: ServerResponse, outcome: RequestRecord['outcome']): void {
    if (record.outcome !== 'open') return;
    record.outcome = outcome;
    record.endedAt = performance.now();
    if (response.headersSent) record.status = response.statusCode;
    this.#changed();
  }

  #changed(): void {
    for (const look of this.#watchers) look();
  }
}

function contextOf(record: RequestRecord, step: AnswerStep, body: ChatBody, prefix: number): AnswerContext {
  const wanted = body.stream !== true || body.stream_options?.include_usage === true;
  const usage = step.usage === undefined ? estimate(record.raw, step, prefix) : step.usage;
  return {
    id: `chatcmpl-${record.index}`,
    model: step.model ?? body.model,
    ...(wanted && usage !== null ? { usage } : {}),
  };
}

function estimate(raw: string, step: AnswerStep, prefix: number): WireUsage {
  const calls = (step.toolCalls ?? []).map((call) => call.arguments).join('');
  const prompt = tokens(Buffer.byteLength(raw));
  const completion = tokens(Buffer.byteLength(`${step.reasoning ?? ''}${step.text ?? ''}${calls}`));
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: Math.floor(prefix / 4) },
  };
}

function tokens(bytes: number): number {
  return Math.ceil(bytes / 4);
}

function refuse(record: RequestRecord, response: ServerResponse, body: unknown): void {
  const complaint = complaintAbout(body);
  record.rejected = complaint === undefined ? 'unknown' : `${complaint.param}: ${complaint.message}`;
  sendBody(response, 400, errorBody(complaint?.message ?? 'Invalid request.', complaint?.param));
}

function errorBody(message: string, param: string | null = null): string {
  return JSON.stringify({ error: { message, type: 'invalid_request_error', param, code: null } });
}

function sendHttp(response: ServerResponse, step: HttpStep): void {
  response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers });
  response.end(step.body);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendBody(response, status, JSON.stringify(value));
}

function sendBody(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(request, 'end');
  return Buffer.concat(chunks).toString('utf8');
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The model server has no port.');
  return address.port;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
