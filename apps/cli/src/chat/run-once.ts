import { AbortReason, ExitCode, ulid } from '@hermes/runtime';
import type { Host } from '@hermes/host';
import type { Session, TurnEvent, TurnEventListener, TurnResult } from '@hermes/turn-engine';

/** A finished single turn, with the exit code of the command. */
export interface OnceResult {
  readonly result: TurnResult;
  readonly exitCode: ExitCode;
}

/**
 * Runs one input to its end. SIGINT and SIGTERM interrupt the turn, which then ends in order; a second signal ends the process as
 * it would have without us.
 */
export async function runOnce(
  host: Host,
  session: Session,
  text: string,
  listener: TurnEventListener,
): Promise<OnceResult> {
  const stop = new AbortController();
  let signal: NodeJS.Signals | undefined;
  const onSignal = (received: NodeJS.Signals) => {
    signal = received;
    stop.abort(new AbortReason('user_stop', received));
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    const submission = await session.submit(text, {
      requestId: ulid(host.clock.now()),
      intent: 'queue',
      limit: host.turnLimit,
      signal: stop.signal,
      listener,
    });
    const result = await submission.result;
    return { result, exitCode: exitCodeOf(result, signal) };
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

function exitCodeOf(result: TurnResult, signal: NodeJS.Signals | undefined): ExitCode {
  if (signal === 'SIGTERM') return ExitCode.terminated;
  if (result.outcome === 'interrupted') return ExitCode.interrupted;
  if (result.outcome !== 'completed') return ExitCode.usage;
  return result.finalText.trim() === '' ? ExitCode.failed : ExitCode.ok;
}

/** Writes warnings of a turn to stderr, where they do not mix with the answer. */
export function noticesToStderr(event: TurnEvent): void {
  if (event.type === 'notice' && event.level !== 'info') process.stderr.write(`hermes: ${event.text}\n`);
  if (event.type === 'retry.scheduled' && event.waitMs > 10_000) {
    process.stderr.write(`hermes: ${event.message} Trying again in ${Math.round(event.waitMs / 1000)} s.\n`);
  }
}

/** Tells on stderr what is wrong with the settings. */
export function warnOnStderr(host: Host): void {
  for (const warning of host.settings.warnings) process.stderr.write(`hermes: ${warning.message}\n`);
}

/** Tells on stderr why a turn did not complete. */
export function explainOnStderr(result: TurnResult): void {
  if (result.explanation !== '') process.stderr.write(`hermes: ${result.explanation}\n`);
  for (const error of result.cleanupErrors) process.stderr.write(`hermes: ${error}\n`);
}

export function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
