import type { Clock } from '@hermes/runtime';
import { describeHolder } from '../lease/process-holder.ts';
import { type Lease, LEASE_TTL_MS, type LeaseAttempt, type LeaseRequest } from '../store/lease.ts';
import { StoreError } from '../store/store-error.ts';
import type { Connection } from './connection.ts';
import type { Statements } from './statements.ts';

interface LeaseRow {
  holder: string;
  fence: number;
  expires_at: number;
}

/** Turn leases: one owner per conversation, proved inside every write. */
export class Leases {
  readonly #connection: Connection;
  readonly #sql: Statements;
  readonly #clock: Clock;
  /** Whether the process behind a holder is certainly gone. */
  readonly isDead: (holder: string) => boolean;

  constructor(connection: Connection, sql: Statements, clock: Clock, isDead: (holder: string) => boolean) {
    this.#connection = connection;
    this.#sql = sql;
    this.#clock = clock;
    this.isDead = isDead;
  }

  acquire({ conversationId, holder }: LeaseRequest): Promise<LeaseAttempt> {
    return this.#connection.write(() => {
      const now = this.#clock.now();
      const row = this.#row(conversationId);
      if (row && row.expires_at > now && !this.isDead(row.holder)) {
        return { acquired: false, heldBy: describeHolder(row.holder), expiresAt: row.expires_at };
      }
      const fence = (row?.fence ?? 0) + 1;
      this.#sql.run(
        `INSERT INTO session_turn_leases (conversation_id, holder, fence, acquired_at, expires_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (conversation_id) DO UPDATE SET
           holder = excluded.holder, fence = excluded.fence, acquired_at = excluded.acquired_at, expires_at = excluded.expires_at`,
        conversationId,
        holder,
        fence,
        now,
        now + LEASE_TTL_MS,
      );
      return { acquired: true, lease: { conversationId, holder, fence } };
    });
  }

  refresh(lease: Lease): Promise<boolean> {
    return this.#connection.write(() => this.#extend(lease, this.#clock.now()));
  }

  /** The row stays, expired, so that the fence keeps growing. */
  release(lease: Lease): Promise<void> {
    return this.#connection.write(() => {
      this.#sql.run(
        'UPDATE session_turn_leases SET expires_at = 0 WHERE conversation_id = ? AND holder = ? AND fence = ?',
        lease.conversationId,
        lease.holder,
        lease.fence,
      );
    });
  }

  /** To be called first inside a write transaction. An expired lease that nobody took is renewed. */
  check(lease: Lease): void {
    const row = this.#row(lease.conversationId);
    if (!row || row.holder !== lease.holder || row.fence !== lease.fence) {
      throw new StoreError(
        'lease_lost',
        'Another process has taken over this conversation. Nothing more was written here.',
      );
    }
    const now = this.#clock.now();
    if (row.expires_at <= now) this.#extend(lease, now);
  }

  #row(conversationId: string): LeaseRow | undefined {
    return this.#sql.get(
      'SELECT holder, fence, expires_at FROM session_turn_leases WHERE conversation_id = ?',
      conversationId,
    );
  }

  #extend(lease: Lease, now: number): boolean {
    const { changes } = this.#sql.run(
      'UPDATE session_turn_leases SET expires_at = ? WHERE conversation_id = ? AND holder = ? AND fence = ?',
      now + LEASE_TTL_MS,
      lease.conversationId,
      lease.holder,
      lease.fence,
    );
    return changes === 1;
  }
}
