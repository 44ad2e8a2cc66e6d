import { fstatSync } from 'node:fs';

/** A socket that has sent nothing for so long is taken for one that never will: programs often leave it open by default. */
const SOCKET_WAIT_MS = 100;

/** Text on stdin when something was piped or redirected into the command; empty for a terminal or `/dev/null`. */
export async function readPipedInput(stdin: NodeJS.ReadStream): Promise<string> {
  const kind = kindOf(stdin);
  if (kind === 'none') return '';
  const chunks: Buffer[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = kind === 'socket' ? setTimeout(resolve, SOCKET_WAIT_MS) : undefined;
  const onData = (chunk: Buffer) => {
    clearTimeout(timer);
    chunks.push(chunk);
  };
  stdin.on('data', onData).once('end', resolve).once('error', reject);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    stdin.off('data', onData);
    stdin.pause();
    stdin.unref();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function kindOf(stdin: NodeJS.ReadStream): 'none' | 'socket' | 'stream' {
  if (stdin.isTTY) return 'none';
  try {
    const stats = fstatSync(0);
    if (stats.isSocket()) return 'socket';
    return stats.isFIFO() || stats.isFile() ? 'stream' : 'none';
  } catch {
    return 'none';
  }
}
