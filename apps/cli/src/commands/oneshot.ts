import { openHost } from '@hermes/host';
import { messageOf, writeFileAtomic } from '@hermes/runtime';
import { openCallSession } from '../chat/open-session.ts';
import { explainOnStderr, noticesToStderr, runOnce, warnOnStderr, withNewline } from '../chat/run-once.ts';
import { type CallContext, hostOptions } from '../program/call-context.ts';
import { readPipedInput } from '../terminal/piped-input.ts';
import { usageReport } from '../output/usage-report.ts';
import { writeOut } from '../output/write-out.ts';

/** `hermes -z TEXT`: only the answer on stdout. Piped input is appended as context. */
export async function oneshot(context: CallContext, prompt: string): Promise<number> {
  const host = await openHost(hostOptions(context, 'oneshot'));
  try {
    warnOnStderr(host);
    host.model.client();
    const piped = await readPipedInput(process.stdin);
    const text = piped.trim() === '' ? prompt : `${prompt}\n\n${piped}`;
    const session = await openCallSession(host, context, 'oneshot');
    const { result, exitCode } = await runOnce(host, session, text, noticesToStderr);
    await writeOut(withNewline(result.finalText));
    explainOnStderr(result);
    await writeUsage(context.flags.usageFile, { ...usageReport(result), exit_code: exitCode });
    return exitCode;
  } catch (error) {
    await writeUsage(context.flags.usageFile, { error: messageOf(error) });
    throw error;
  } finally {
    await host.close();
  }
}

async function writeUsage(path: string | undefined, report: object): Promise<void> {
  if (path !== undefined) await writeFileAtomic(path, `${JSON.stringify(report, null, 2)}\n`);
}
