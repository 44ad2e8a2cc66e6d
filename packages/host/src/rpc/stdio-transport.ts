import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { FrameTransport } from './client.ts';
import { MAX_FRAME_BYTES } from './frame-limit.ts';

/**
 * Frames over a pair of byte streams, one JSON text per line: a child's stdio, or a socket's two halves.
 *
 * @example
 * const child = spawn(process.execPath, [cli, 'serve', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
 * const client = new HostClient(lineTransport(child.stdout, child.stdin));
 */
export function lineTransport(input: Readable, output: Writable): FrameTransport {
  const decoder = new StringDecoder('utf8');
  const frameListeners: ((frame: string) => void)[] = [];
  const closeListeners: ((cause: Error | null) => void)[] = [];
  let buffered: string[] = [];
  let bufferedLength = 0;
  let closed = false;

  const finish = (cause: Error | null) => {
    if (closed) return;
    closed = true;
    for (const listener of closeListeners) listener(cause);
  };
  const deliver = (line: string) => {
    if (line.trim() === '') return;
    for (const listener of frameListeners) listener(line);
  };

  input.on('data', (chunk: Buffer) => {
    let rest = decoder.write(chunk);
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      deliver(buffered.join('') + rest.slice(0, end));
      buffered = [];
      bufferedLength = 0;
      rest = rest.slice(end + 1);
    }
    if (rest !== '') {
      buffered.push(rest);
      bufferedLength += rest.length;
    }
    if (bufferedLength > MAX_FRAME_BYTES) {
      input.destroy();
      finish(new Error(`a frame is larger than ${MAX_FRAME_BYTES} bytes`));
    }
  });
  input.on('end', () => finish(null));
  input.on('error', (error) => finish(error));
  input.on('close', () => finish(null));
  output.on('error', (error) => finish(error));

  return {
    send: (frame) => {
      if (closed || output.destroyed || output.writableEnded) return false;
      output.write(`${frame}\n`);
      return true;
    },
    onFrame: (listener) => {
      frameListeners.push(listener);
    },
    onClose: (listener) => {
      closeListeners.push(listener);
    },
    close: () => {
      output.end();
      finish(null);
    },
  };
}
