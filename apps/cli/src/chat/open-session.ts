import type { Host } from '@hermes/host';
import type { Session } from '@hermes/turn-engine';
import type { CallContext } from '../program/call-context.ts';
import { readBreadcrumb, writeBreadcrumb } from '../terminal/breadcrumb.ts';

/** The session this call is about: a new one, or the one that `-r` or `-c` names. It becomes the terminal's last session. */
export async function openCallSession(host: Host, context: CallContext, source: string): Promise<Session> {
  const session = await chooseSession(host, context, source);
  await writeBreadcrumb(context, session.id);
  return session;
}

async function chooseSession(host: Host, context: CallContext, source: string): Promise<Session> {
  const { flags } = context;
  const ref = await resumeReference(host, context);
  if (ref === undefined) return host.createSession(flags.source ?? source, context.cwd);
  return host.resumeSession(ref, {
    includeHidden: flags.continue !== undefined,
    ...(flags.in === undefined ? {} : { cwd: context.cwd }),
  });
}

/** What to resume, if anything: `-r` as given; `-c` alone means this terminal's own last session, else the newest. */
export async function resumeReference(host: Host | undefined, context: CallContext): Promise<string | undefined> {
  const { flags } = context;
  if (flags.resume !== undefined) return flags.resume;
  if (flags.continue === undefined) return undefined;
  if (flags.continue !== true) return flags.continue;
  const own = await readBreadcrumb(context);
  const exists = own !== undefined && (host === undefined || (await host.store.session(own)) !== undefined);
  return exists ? own : 'latest';
}
