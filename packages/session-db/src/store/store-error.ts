/** Typed refusals of the store, the same on every surface (session-db spec 14.8). */
export type StoreErrorCode =
  | 'admission_conflict'
  | 'db_corrupt'
  | 'disk_full'
  | 'invalid_params'
  | 'lease_lost'
  | 'newer_schema'
  | 'not_found'
  | 'permission_denied'
  | 'persistence_locked'
  | 'unknown';

/**
 * A store refusal or failure. Nothing of the rejected operation was written.
 *
 * @example
 * if (error instanceof StoreError && error.code === 'lease_lost') stopWithoutWriting();
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
