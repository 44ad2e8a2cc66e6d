import { constants } from 'node:os';

/** The number of a signal, 0 for none: a shell reports a death by signal as 128 and this number. */
export function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}
