/** Process exit codes of every Hermes command. */
export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  tryAgain: 75,
  config: 78,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
