import { systemClock } from '@hermes/runtime';
import { type ToolDefinition, ToolState } from '@hermes/tool-registry';

/** Runs one command in a session that nobody closes, as in a process that is about to end or be killed. */
export async function runOnce(terminal: ToolDefinition, cwd: string): Promise<void> {
  await terminal.handler(
    { command: 'true' },
    {
      sessionId: 'session',
      turnId: 'turn',
      callId: 'call',
      cwd,
      signal: new AbortController().signal,
      clock: systemClock,
      state: new ToolState(),
      childEnv: { PATH: '/usr/bin:/bin', HOME: cwd },
      cacheDir: cwd,
      progress: () => undefined,
    },
  );
}
