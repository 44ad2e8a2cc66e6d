export { type AbortKind, AbortReason, abortReasonOf } from './cancel/abort-reason.ts';
export { type Clock, systemClock } from './clock/clock.ts';
export { ExitCode } from './errors/exit-code.ts';
export { HermesError, messageOf } from './errors/hermes-error.ts';
export { randomHex, ulid } from './ids/ulid.ts';
