export { currentHolder, describeHolder, isProvablyDead } from './lease/process-holder.ts';
export type { Admission, AdmissionIntent, AdmissionOutcome, AdmissionStatus, NewAdmission } from './store/admission.ts';
export { type Lease, LEASE_REFRESH_MS, LEASE_TTL_MS, type LeaseAttempt, type LeaseRequest } from './store/lease.ts';
export type { DisplayKind, EffectDisposition, NewRow, RowRole, StoredRow } from './store/row.ts';
export type {
  FrozenPrompt,
  NewSession,
  SessionFilter,
  SessionRecord,
  SessionSummary,
  ToolPin,
} from './store/session.ts';
export type { CallUsage, SessionStore } from './store/session-store.ts';
export { StoreError, type StoreErrorCode } from './store/store-error.ts';
export { previewOf } from './store/text.ts';
export {
  type NewToolRun,
  type RecoveryReport,
  RecoveryText,
  type ToolEffectClass,
  type ToolRunEnd,
  type TurnEnd,
} from './store/turn.ts';
