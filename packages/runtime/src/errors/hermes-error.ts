import { ExitCode } from './exit-code.ts';

/**
 * A failure with a message for the person at the terminal: what happened, where, and what to do next.
 * Anything else that is thrown is a bug and keeps its stack.
 *
 * @example
 * throw new HermesError('config_broken', 'config.yaml line 3: bad indentation. Fix it or run `hermes config edit`.', {
 *   exitCode: ExitCode.config,
 * });
 */
export class HermesError extends Error {
  override readonly name = 'HermesError';
  /** Stable machine name of the failure, snake_case. */
  readonly code: string;
  readonly exitCode: ExitCode;
  /** What the user can do next, one line each. */
  readonly hints: readonly string[];

  constructor(
    code: string,
    message: string,
    options: { exitCode?: ExitCode; hints?: readonly string[]; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.exitCode = options.exitCode ?? ExitCode.failed;
    this.hints = options.hints ?? [];
  }
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
