import { messageOf } from '@hermes/runtime';
import { StoreError, type StoreErrorCode } from '@hermes/session-db';
import type { TurnFailure } from '../turn/turn-state.ts';
import type { EndReason } from './end-reason.ts';

/** Causes of `session_persistence_failed` in words (turn spec 3). */
const CAUSES: Partial<Record<StoreErrorCode, string>> = {
  persistence_locked: 'locked',
  disk_full: 'disk full',
  db_corrupt: 'damaged database',
  permission_denied: 'not writable',
};

/** The end of a turn that something threw out of its way. */
export function endOfFailure(error: unknown): EndReason {
  if (!(error instanceof StoreError)) return { code: 'internal_error', detail: messageOf(error) };
  if (error.code === 'lease_lost') return { code: 'lease_lost' };
  return { code: 'session_persistence_failed', detail: CAUSES[error.code] ?? error.code };
}

export function failureOf(error: unknown): TurnFailure {
  return { reason: error instanceof StoreError ? 'persistence' : 'internal', message: messageOf(error) };
}
