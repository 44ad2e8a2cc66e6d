import { ExitCode, HermesError, messageOf } from '@hermes/runtime';

interface StoreFailure {
  readonly name: 'StoreError';
  readonly code: string;
  readonly message: string;
}

/** Prints what went wrong and what to do next on stderr, and answers the exit code. A bug keeps its stack. */
export function reportError(error: unknown): ExitCode {
  if (error instanceof HermesError) {
    process.stderr.write(`hermes: ${error.message}\n${error.hints.map((hint) => `  ${hint}\n`).join('')}`);
    return error.exitCode;
  }
  if (isStoreFailure(error)) {
    process.stderr.write(`hermes: ${error.message}\n`);
    return error.code === 'persistence_locked' ? ExitCode.tryAgain : ExitCode.failed;
  }
  process.stderr.write(`hermes: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}\n`);
  return ExitCode.failed;
}

/** Told by its name, because loading the store for the sake of an error message would slow every start down. */
function isStoreFailure(error: unknown): error is StoreFailure {
  return error instanceof Error && error.name === 'StoreError' && 'code' in error && typeof error.code === 'string';
}
