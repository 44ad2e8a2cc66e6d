import type { IncomingMessage } from 'node:http';
import type { Clock } from '@hermes/runtime';
import type { StreamPart } from '../client/model-client.ts';
import { classifyFailure } from '../failure/classify-failure.ts';
import type { Failure } from '../failure/failure.ts';
import { failureOfErrorEvent, failureOfResponse } from '../failure/http-failure.ts';
import type { CallGuard } from '../http/call-guard.ts';
import { EventStreamParser } from '../http/event-stream.ts';
import { readText } from '../http/read-text.ts';
import { asList, asObject, parseJson } from '../message/json.ts';
import type { Route } from '../route/route.ts';
import { ResponseAssembly } from './response-assembly.ts';

/** How long an answer that is complete may keep its connection before that is dropped. Source: turn engine spec 12. */
const DRAIN_MS = 2_000;

/** More of a body that is no stream is not read. */
const BODY_LIMIT = 32 * 1024 * 1024;

/** Proxies forget the type of a stream or call it plain text; what is clearly something else is not read as one. */
const STREAM_TYPES = /^$|event-stream|text\/plain|octet-stream/;

/** Reads the answer of a server, and throws a `ProviderError` for everything that is none. */
export async function* readAnswer(
  response: IncomingMessage,
  route: Route,
  clock: Clock,
  guard: CallGuard,
): AsyncGenerator<StreamPart> {
  const assembly = new ResponseAssembly();
  let complete = false;
  try {
    const isStream = response.statusCode === 200 && STREAM_TYPES.test(response.headers['content-type'] ?? '');
    const end = isStream
      ? yield* readStream(response, assembly, clock, guard)
      : await readWhole(response, assembly, clock, guard);
    if ('kind' in end) throw classifyFailure(route, end);
    assembly.end();
    yield* assembly.takeParts();
    const completeness = assembly.completeness(end.finished);
    if (completeness !== 'complete') throw classifyFailure(route, { kind: completeness, status: 200 });
    complete = true;
  } finally {
    // Reached as well when whoever reads this stream stops early.
    if (complete) await release(response, clock);
    else response.destroy();
  }
  yield { type: 'response', response: assembly.response() };
}

/** How the reading ended: the server said so or only stopped, or something went wrong. */
type End = { readonly finished: boolean } | Failure;

async function* readStream(
  response: IncomingMessage,
  assembly: ResponseAssembly,
  clock: Clock,
  guard: CallGuard,
): AsyncGenerator<StreamPart, End> {
  try {
    for await (const events of readEvents(response, guard)) {
      const end = addEvents(assembly, events, clock);
      yield* assembly.takeParts();
      if (end !== undefined) return end;
    }
  } catch (error) {
    // A connection that breaks after the server has named its reason to stop took nothing away.
    if (guard.signal.aborted || assembly.completeness(false) !== 'complete') return { kind: 'cut', cause: error };
  }
  return { finished: false };
}

/** The events of a response, as many at a time as arrived together. */
async function* readEvents(response: IncomingMessage, guard: CallGuard): AsyncGenerator<string[]> {
  response.setEncoding('utf8');
  const parser = new EventStreamParser();
  const chunks = response.iterator({ destroyOnReturn: false });
  for (;;) {
    guard.waiting();
    const chunk = await chunks.next();
    guard.served();
    if (chunk.done === true) break;
    const events = parser.push(String(chunk.value));
    if (events.length > 0) yield events;
  }
  yield parser.end();
}

function addEvents(assembly: ResponseAssembly, events: readonly string[], clock: Clock): End | undefined {
  for (const data of events) {
    if (data === '[DONE]') return { finished: true };
    const event = asObject(parseJson(data));
    if (event === undefined) return { kind: 'malformed', status: 200 };
    if (event.error !== undefined && event.error !== null) return failureOfErrorEvent(event, clock.now());
    assembly.add(event);
  }
  return undefined;
}

/** Some servers answer in one piece although they were asked to stream. */
async function readWhole(
  response: IncomingMessage,
  assembly: ResponseAssembly,
  clock: Clock,
  guard: CallGuard,
): Promise<End> {
  guard.waiting();
  const text = await readText(response, BODY_LIMIT);
  guard.served();
  const body = response.statusCode === 200 ? asObject(parseJson(text)) : undefined;
  if (body === undefined || asList(body.choices).length === 0) return failureOfResponse(response, text, clock.now());
  assembly.add(body);
  return { finished: true };
}

/**
 * Reads to the end, so that the connection can serve the next call. An end that has arrived is awaited; one that is still to
 * come is read in the background, and if it does not come the connection is dropped.
 */
async function release(response: IncomingMessage, clock: Clock): Promise<void> {
  if (response.readableEnded || response.destroyed) return;
  const ended = new AbortController();
  const end = new Promise<void>((resolve) => {
    response.once('end', resolve);
    response.once('close', () => ended.abort(null));
  });
  response.on('error', () => undefined);
  response.resume();
  if (response.complete) return end;
  clock.sleep(DRAIN_MS, ended.signal).then(
    () => response.destroy(),
    () => undefined,
  );
}
