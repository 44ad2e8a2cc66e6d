import { readFile } from 'node:fs/promises';
import { openHost } from '@hermes/host';
import { ExitCode, fileError, HermesError } from '@hermes/runtime';
import type { TurnEventListener } from '@hermes/turn-engine';
import { openCallSession } from '../chat/open-session.ts';
import { explainOnStderr, noticesToStderr, runOnce, warnOnStderr, withNewline } from '../chat/run-once.ts';
import { streamJson } from '../chat/stream-json.ts';
import { textPrinter } from '../chat/text-printer.ts';
import { writeOut } from '../output/write-out.ts';
import { type CallContext, hostOptions } from '../program/call-context.ts';
import { readPipedInput } from '../terminal/piped-input.ts';
import { interactive } from './interactive.ts';

export interface ChatFlags {
  readonly query?: string;
  readonly queryFile?: string;
  readonly oneshot?: boolean;
  readonly quiet?: boolean;
  readonly format?: string;
}

/** `hermes chat`: interactive on a terminal; with a query, and outside a terminal, one answer. */
export async function chat(context: CallContext, flags: ChatFlags): Promise<number> {
  if (flags.format !== 'text' && flags.format !== 'stream-json') {
    throw new HermesError('usage', `--format ${flags.format ?? ''}: choose text or stream-json.`, {
      exitCode: ExitCode.usage,
    });
  }
  const query = await readQuery(flags);
  const finite =
    flags.oneshot || flags.quiet || flags.format === 'stream-json' || !process.stdin.isTTY || !process.stdout.isTTY;
  if (!finite) return interactive(context, query);
  if (query === undefined || query.trim() === '') {
    throw new HermesError(
      'usage',
      'There is nothing to answer: give -q TEXT, --query-file PATH, or pipe a message in.',
      { exitCode: ExitCode.usage },
    );
  }
  return answerOnce(context, query, flags);
}

async function readQuery(flags: ChatFlags): Promise<string | undefined> {
  if (flags.query !== undefined && flags.queryFile !== undefined) {
    throw new HermesError('usage', '-q and --query-file exclude each other.', { exitCode: ExitCode.usage });
  }
  if (flags.query !== undefined) return flags.query;
  if (flags.queryFile !== undefined && flags.queryFile !== '-') {
    return readFile(flags.queryFile, 'utf8').catch((error: unknown) => {
      throw fileError('read', flags.queryFile ?? '', error);
    });
  }
  const piped = await readPipedInput(process.stdin);
  return piped === '' ? undefined : piped;
}

async function answerOnce(context: CallContext, query: string, flags: ChatFlags): Promise<number> {
  const host = await openHost(hostOptions(context, 'oneshot'));
  try {
    warnOnStderr(host);
    host.model.client();
    const session = await openCallSession(host, context, 'oneshot');
    if (flags.format === 'stream-json') {
      const stream = streamJson(session.id);
      const { result, exitCode } = await runOnce(host, session, query, stream.listener);
      await stream.end(result, exitCode);
      return exitCode;
    }
    const listener: TurnEventListener = flags.quiet ? noticesToStderr : textPrinter();
    const { result, exitCode } = await runOnce(host, session, query, listener);
    await writeOut(withNewline(result.finalText));
    explainOnStderr(result);
    return exitCode;
  } finally {
    await host.close();
  }
}
