import type { IncomingHttpHeaders } from 'node:http';

/** One request to the chat endpoint, as it came. Times are `performance.now()` of the server's process. */
export interface RequestRecord {
  readonly index: number;
  readonly headers: IncomingHttpHeaders;
  /** The client's port: the same for requests over the same connection. */
  readonly connection: number | undefined;
  /** The body as text, untouched. */
  readonly raw: string;
  /** When the head of the request arrived. */
  readonly arrivedAt: number;
  /** When its body was complete. */
  readonly receivedAt: number;
  /** When the answer was handed to the network, or the connection went away. */
  endedAt?: number;
  status?: number;
  /** Why the request was refused by validation. */
  rejected?: string;
  outcome: 'open' | 'sent' | 'cut' | 'client_closed';
}

/** Bytes compared at once: far quicker than one by one. */
const BLOCK = 4096;

/**
 * How many bytes two request bodies have in common from the start.
 *
 * @example
 * sharedPrefixBytes(first.raw, second.raw) / Buffer.byteLength(first.raw); // share of the first that was repeated
 */
export function sharedPrefixBytes(first: string, second: string): number {
  const a = Buffer.from(first);
  const b = Buffer.from(second);
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at + BLOCK <= limit && a.compare(b, at, at + BLOCK, at, at + BLOCK) === 0) at += BLOCK;
  while (at < limit && a[at] === b[at]) at++;
  return at;
}
