/** The right to advance one conversation. Every transcript write proves it. */
export interface Lease {
  readonly conversationId: string;
  readonly holder: string;
  /** Grows by one at each acquisition; a late writer is recognised by a smaller one. */
  readonly fence: number;
}

export interface LeaseRequest {
  readonly conversationId: string;
  readonly holder: string;
}

export type LeaseAttempt =
  | { readonly acquired: true; readonly lease: Lease }
  | { readonly acquired: false; readonly heldBy: string; readonly expiresAt: number };

/** Lease times in milliseconds (turn spec 8). */
export const LEASE_TTL_MS = 300_000;
export const LEASE_REFRESH_MS = 60_000;
