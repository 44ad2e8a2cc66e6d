import { openHost } from '@hermes/host';
import { lineTransport } from '@hermes/host/rpc';
import { RpcServer } from '@hermes/host/serve';
import { ExitCode } from '@hermes/runtime';
import { type CallContext, hostOptions } from '../program/call-context.ts';
import { VERSION } from '../program/version.ts';

/** `hermes serve --stdio`: the backend of the terminal interface. Ends when its stdin closes, whatever was running is interrupted. */
export async function serve(context: CallContext): Promise<number> {
  // The terminal sends Ctrl-C to the whole group; what it means is the interface's to say.
  process.on('SIGINT', () => undefined);
  const host = await openHost(hostOptions(context, 'tui'));
  const server = new RpcServer(host, lineTransport(process.stdin, process.stdout), VERSION);
  const terminated = new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGHUP', () => resolve());
  });
  await Promise.race([server.closed, terminated]);
  await host.close();
  process.stdin.destroy();
  return ExitCode.ok;
}
