import { callsStep, type HttpStep, type Step, textStep } from './step.ts';

/**
 * Ways a provider fails, each as one step. The bodies have the shape and the wording of real providers, because clients
 * classify failures by them.
 *
 * @example
 * const server = await startModelServer({ script: [FAULTS.rateLimited({ retryAfter: '2' }), textStep('ok')] });
 */
export const FAULTS = {
  rateLimited: ({ retryAfter }: { retryAfter?: string } = {}): Step =>
    jsonError(
      429,
      'Rate limit reached for requests',
      'rate_limit_error',
      'rate_limit_exceeded',
      retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    ),
  serverError: (): Step => jsonError(500, 'The server had an error while processing your request', 'server_error'),
  unavailable: (): Step =>
    jsonError(503, 'The engine is currently overloaded, please try again later', 'overloaded_error'),
  unauthorized: (): Step => jsonError(401, 'Incorrect API key provided', 'invalid_request_error', 'invalid_api_key'),
  paymentRequired: (): Step =>
    jsonError(402, 'You have run out of credits', 'insufficient_quota', 'insufficient_quota'),
  modelNotFound: (): Step =>
    jsonError(404, 'The model `missing` does not exist', 'invalid_request_error', 'model_not_found'),
  contextOverflow: (): Step =>
    jsonError(
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
      'invalid_request_error',
      'context_length_exceeded',
    ),
  htmlPage: ({ status = 200 }: { status?: number } = {}): Step => ({
    kind: 'http',
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<!DOCTYPE html><html><head><title>Welcome</title></head><body>Hello</body></html>',
  }),
  /** A stream that dies in the middle of the answer. */
  cutStream: ({ chunks = 2 }: { chunks?: number } = {}): Step =>
    textStep('An answer that nobody will read to its end.', { chunkSize: 8, cutAfterChunks: chunks }),
  malformedArguments: ({ id = 'call_1', name = 'terminal' }: { id?: string; name?: string } = {}): Step =>
    callsStep({ id, name, arguments: '{"command": "true' }),
  emptyAnswer: (): Step => ({ kind: 'answer' }),
  /** HTTP 200, then an error where a piece of the answer should be. */
  errorFrame: ({ message = 'Upstream overloaded', code = 'overloaded_error' } = {}): Step => ({
    kind: 'raw',
    chunks: [`data: ${JSON.stringify({ error: { message, code } })}\n\n`, 'data: [DONE]\n\n'],
  }),
  malformedSse: (): Step => ({ kind: 'raw', chunks: ['data: {"choices":[{"del\n\n', 'data: [DONE]\n\n'] }),
  /** Reads the request and keeps the socket open without a word. */
  silence: (): Step => ({ kind: 'silence' }),
} as const;

export type FaultName = keyof typeof FAULTS;

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

function jsonError(
  status: number,
  message: string,
  type: string,
  code: string | null = null,
  headers: Record<string, string> = {},
): HttpStep {
  return {
    kind: 'http',
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error: { message, type, param: null, code } }),
  };
}
