export { type AbortKind, AbortReason, abortReasonOf } from './cancel/abort-reason.ts';
export { type Clock, systemClock } from './clock/clock.ts';
export { childEnvironment } from './environment/child-environment.ts';
export type { EnvFinding } from './environment/env-file.ts';
export { ENVIRONMENT_OVERRIDES, type EnvironmentOverride, isSwitchedOn, variable } from './environment/overrides.ts';
export { type Environment, processEnvironment } from './environment/process-environment.ts';
export { isSecretName, isSecretVariable } from './environment/secret-names.ts';
export { loadSecrets, SecretScope, type SecretSources } from './environment/secret-scope.ts';
export { ExitCode } from './errors/exit-code.ts';
export { HermesError, messageOf } from './errors/hermes-error.ts';
export { errorCode, fileError } from './files/file-error.ts';
export { type LockOptions, withFileLock } from './files/file-lock.ts';
export { makeDirectories } from './files/make-directories.ts';
export { createFileAtomic, type WriteOptions, writeFileAtomic } from './files/write-file-atomic.ts';
export { ensureHome } from './home/ensure-home.ts';
export { type HomePaths, homePaths, protectedPaths } from './home/home-paths.ts';
export { type HomeScope, type ResolveHomeOptions, resolveHome } from './home/home-scope.ts';
export { listProfiles, type ProfileEntry } from './home/profiles.ts';
export { randomHex, ulid } from './ids/ulid.ts';
export {
  createLogger,
  type LogContext,
  type LogFields,
  type Logger,
  type LoggerOptions,
  type LogLevel,
} from './logging/logger.ts';
export { isMasked, mask } from './logging/mask.ts';
export { createRedactor, type Redactor, redact, redactionSelfTest } from './logging/redact.ts';
export type { SecretSpan } from './logging/secret-span.ts';
export { createSpanFinder, type SpanFinder } from './logging/secret-spans.ts';
export { currentScope, type ProfileScope, runInScope, UnscopedError } from './scope/profile-scope.ts';
export { nearest } from './text/nearest.ts';
export { stripControlSequences } from './text/strip-control-sequences.ts';
