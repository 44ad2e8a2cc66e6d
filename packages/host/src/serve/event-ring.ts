import { randomHex } from '@hermes/runtime';
import type { HostEvent } from '../rpc/contract.ts';
import type { OutgoingEvent } from './event-mapping.ts';

/** Events of one session that can be asked for again (gateway spec 14.2). */
const RING_EVENTS = 512;

/** Numbers the events of each session and keeps the newest ones for clients that come back. */
export class EventRing {
  /** Changes with every process: numbers of another epoch mean nothing here. */
  readonly epoch = randomHex(8);
  readonly #sessions = new Map<string, { seq: number; events: HostEvent[] }>();

  add(sessionId: string, event: OutgoingEvent): HostEvent {
    const session = this.#session(sessionId);
    const numbered = { ...event, session_id: sessionId, seq: ++session.seq };
    session.events.push(numbered);
    if (session.events.length > RING_EVENTS) session.events.shift();
    return numbered;
  }

  latestSeq(sessionId: string): number {
    return this.#session(sessionId).seq;
  }

  /** Events after `lastSeen`; `truncated` when some of them are gone or the epoch is another one: fetch the history instead. */
  since(sessionId: string, epoch: string, lastSeen: number): { events: readonly HostEvent[]; truncated: boolean } {
    const { events, seq } = this.#session(sessionId);
    if (epoch !== this.epoch || lastSeen > seq) return { events: [], truncated: true };
    const missed = events.filter((event) => event.seq > lastSeen);
    return { events: missed, truncated: missed.length < seq - lastSeen };
  }

  #session(sessionId: string) {
    let session = this.#sessions.get(sessionId);
    if (!session) {
      session = { seq: 0, events: [] };
      this.#sessions.set(sessionId, session);
    }
    return session;
  }
}
