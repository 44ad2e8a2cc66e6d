interface GuardHandlers {
  /** A signal asks the program to end; `code` is its exit code. */
  readonly onSignal: (code: number) => void;
  readonly onCrash: (error: unknown) => void;
  /** The program was stopped and goes on. */
  readonly onContinue: () => void;
  /** The last moment of the process. */
  readonly onExit: () => void;
}

/** 128 + the number of the signal, as shells report it. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Listens to everything that may end the program from outside. Returns the way to stop. */
export function installGuards(handlers: GuardHandlers): () => void {
  const onSignal = (signal: keyof typeof SIGNALS) => handlers.onSignal(SIGNALS[signal]);
  const { onCrash, onContinue, onExit } = handlers;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('uncaughtException', onCrash);
  process.on('unhandledRejection', onCrash);
  process.on('SIGCONT', onContinue);
  process.on('exit', onExit);
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal);
    process.off('uncaughtException', onCrash);
    process.off('unhandledRejection', onCrash);
    process.off('SIGCONT', onContinue);
    process.off('exit', onExit);
  };
}
