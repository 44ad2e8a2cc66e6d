export type AdmissionIntent = 'queue' | 'steer';
export type AdmissionStatus = 'queued' | 'started' | 'unknown' | 'terminal';
export type AdmissionOutcome = 'completed' | 'interrupted' | 'rejected' | 'failed' | 'cancelled' | 'steered';

/** Input to be accepted. `requestId` makes a retry answer the first admission instead of a second one. */
export interface NewAdmission {
  readonly requestId: string;
  /** Who speaks: a local user, a chat user, an internal source. */
  readonly principalId: string;
  /** The process that runs it, in the form of a lease holder; another may only when this one is gone. */
  readonly owner: string;
  readonly sessionId: string;
  readonly text: string;
  readonly intent: AdmissionIntent;
}

/** Accepted input: durable, in order, ends exactly once. */
export interface Admission extends NewAdmission {
  readonly id: string;
  /** Place in the order of the store. */
  readonly seq: number;
  readonly status: AdmissionStatus;
  readonly outcome?: AdmissionOutcome;
  /** How often it was queued again after its owner died before anything happened. */
  readonly attempt: number;
  readonly createdAt: number;
}
