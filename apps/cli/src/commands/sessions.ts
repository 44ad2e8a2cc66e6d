import { type Host, historyBlocks, openHost, resolveSession } from '@hermes/host';
import { ExitCode, HermesError, stripControlSequences } from '@hermes/runtime';
import { writeJson, writeOut } from '../output/write-out.ts';
import { type CallContext, hostOptions } from '../program/call-context.ts';

/** Blocks that `show` prints; the whole of any session a person reads in one go. */
const MAX_ROWS = 20_000;

export async function listSessions(
  context: CallContext,
  flags: { limit?: string; source?: string; json?: boolean },
): Promise<number> {
  const limit = Number(flags.limit ?? '20');
  if (!Number.isInteger(limit) || limit < 1) {
    throw new HermesError('usage', `--limit ${flags.limit ?? ''}: a whole number from 1 is needed.`, {
      exitCode: ExitCode.usage,
    });
  }
  return withHost(context, async (host) => {
    const sessions = await host.store.listSessions({
      limit,
      includeHidden: true,
      ...(flags.source === undefined ? {} : { source: flags.source }),
    });
    if (flags.json) {
      await writeJson(sessions);
      return ExitCode.ok;
    }
    const lines = sessions.map((session) => {
      const when = new Date(session.lastActivityAt).toISOString().slice(0, 16).replace('T', ' ');
      const name = stripControlSequences(session.title ?? session.preview);
      return `${session.id}  ${when}  ${session.source.padEnd(8)} ${String(session.messageCount).padStart(5)}  ${name}`;
    });
    await writeOut(lines.length === 0 ? 'There are no sessions yet.\n' : `${lines.join('\n')}\n`);
    return ExitCode.ok;
  });
}

export async function showSession(context: CallContext, ref: string, flags: { json?: boolean }): Promise<number> {
  return withHost(context, async (host) => {
    const session = await resolveSession(host.store, ref, { includeHidden: true });
    const rows = await host.store.visibleRows(session.id, { limit: MAX_ROWS });
    if (flags.json) {
      await writeJson({ session, messages: rows });
      return ExitCode.ok;
    }
    const head = [
      session.title ?? session.id,
      `${session.id} · ${session.source} · ${session.cwd} · ${session.messageCount} messages`,
    ];
    const blocks = await historyBlocks(rows, (name) => host.engine.tools.find(name));
    const body = blocks.map((block) => {
      if (block.kind === 'tool') return `  • ${block.name} ${block.summary} [${block.status}] ${block.preview}`;
      const label = { user: 'You', assistant: 'Hermes', interrupted: 'Hermes (interrupted)', notice: 'Note' }[
        block.kind
      ];
      return `${label}:\n${block.text}`;
    });
    await writeOut(`${stripControlSequences([...head, '', ...body].join('\n'))}\n`);
    return ExitCode.ok;
  });
}

async function withHost(context: CallContext, work: (host: Host) => Promise<number>): Promise<number> {
  const host = await openHost(hostOptions(context, 'cli'));
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}
