import { join } from 'node:path';
import type { Clock } from '../clock/clock.ts';
import { loggable } from './log-fields.ts';
import { LogFile } from './log-file.ts';
import type { Redactor } from './redact.ts';

/** Levels of `logging.level`, from most to least talkative. */
export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Size and number of `agent.log` files (CLI spec 10). */
const MAX_BYTES = 5 * 1024 * 1024;
const KEEP = 3;

export type LogFields = Readonly<Record<string, unknown>>;

/** What a line belongs to. */
export interface LogContext {
  readonly profile?: string;
  readonly session?: string;
  readonly component?: string;
}

/**
 * Writes log lines. No method throws, whatever the disk does.
 *
 * @example
 * const log = createLogger({ dir: paths.logs, level: 'INFO', clock: systemClock, redact, profile: 'default' });
 * log.child({ component: 'turn', session: id }).warn('retrying', { attempt: 2, error });
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger into the same file whose lines carry more context. */
  child(context: LogContext): Logger;
  /** Lines below this level are dropped from now on, for this logger and all its relatives. */
  setLevel(level: LogLevel): void;
  /** Releases the file; a later line opens it again. */
  close(): void;
}

export interface LoggerOptions extends LogContext {
  /** The profile's `logs/` directory; created by the first line. */
  readonly dir: string;
  readonly level: LogLevel;
  readonly clock: Clock;
  readonly redact: Redactor;
}

/**
 * Opens the log of a profile, `agent.log` in JSON Lines: `time`, `level`, `session`, `profile`, `component`,
 * `message`, `fields`. The file is rotated at 5 MB and three older ones are kept. Nothing touches the disk before
 * the first line. Every text is redacted before it is written.
 */
export function createLogger(options: LoggerOptions): Logger {
  const { dir, level, clock, redact, ...context } = options;
  const file = new LogFile({ path: join(dir, 'agent.log'), maxBytes: MAX_BYTES, keep: KEEP });
  return loggerOn({ file, clock, redact, threshold: { level } }, context);
}

interface Sink {
  readonly file: LogFile;
  readonly clock: Clock;
  readonly redact: Redactor;
  /** Shared by all relatives, so that a change of `logging.level` reaches them at once. */
  readonly threshold: { level: LogLevel };
}

function loggerOn(sink: Sink, context: LogContext): Logger {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => write(sink, context, level, message, fields);
  return {
    debug: at('DEBUG'),
    info: at('INFO'),
    warn: at('WARN'),
    error: at('ERROR'),
    child: (more) => loggerOn(sink, { ...context, ...more }),
    setLevel: (level) => {
      sink.threshold.level = level;
    },
    close: () => sink.file.close(),
  };
}

function write(sink: Sink, context: LogContext, level: LogLevel, message: string, fields: LogFields | undefined): void {
  if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(sink.threshold.level)) return;
  const { file, clock, redact } = sink;
  const line = {
    time: new Date(clock.now()).toISOString(),
    level,
    session: context.session,
    profile: context.profile,
    component: context.component,
    message: loggable(message, redact),
    fields: loggable(fields, redact),
    lost: file.lost > 0 ? file.lost : undefined,
  };
  file.append(JSON.stringify(line));
}
