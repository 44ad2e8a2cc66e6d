import { spawn } from 'node:child_process';
import { Buffer } from 'node:buffer';

/** A record longer than this, in bytes, is left out: a hit in a minified file must not fill the memory. */
const MAX_RECORD_BYTES = 8 * 1024 * 1024;
const MAX_STDERR_CHARS = 4000;

export interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Byte that ends a record: line feed or NUL. */
  readonly separator: number;
  /** Called for each record in order; `false` ends the search. */
  readonly onRecord: (record: Buffer) => boolean;
}

export interface RipgrepEnd {
  /** 0 found, 1 found nothing, 2 failed wholly or in part. */
  readonly exitCode: number;
  readonly stderr: string;
  /** Ended by `onRecord`. */
  readonly stopped: boolean;
  readonly longRecords: number;
}

/** Runs ripgrep to its end. Throws the signal's reason when it was aborted, or the fault when it could not be started. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  const { rgPath } = await import('@vscode/ripgrep');
  run.signal.throwIfAborted();
  const child = spawn(rgPath, run.args, { cwd: run.cwd, env: run.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): void => void child.kill('SIGKILL');
  run.signal.addEventListener('abort', kill, { once: true });
  const splitter = new RecordSplitter(run.separator);
  let stopped = false;
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => {
    if (stopped) return;
    for (const record of splitter.push(piece)) {
      if (run.onRecord(record)) continue;
      stopped = true;
      kill();
      return;
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, MAX_STDERR_CHARS);
  });
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 0));
    });
    run.signal.throwIfAborted();
    return { exitCode, stderr, stopped, longRecords: splitter.longRecords };
  } finally {
    run.signal.removeEventListener('abort', kill);
  }
}

/** Cuts a stream of bytes into records. What follows the last separator is not a record. */
class RecordSplitter {
  longRecords = 0;
  readonly #separator: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(separator: number) {
    this.#separator = separator;
  }

  *push(piece: Buffer): Generator<Buffer> {
    let start = 0;
    for (;;) {
      const end = piece.indexOf(this.#separator, start);
      this.#add(piece.subarray(start, end === -1 ? piece.length : end));
      if (end === -1) return;
      start = end + 1;
      const record = this.#take();
      if (record) yield record;
    }
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= MAX_RECORD_BYTES) this.#parts.push(part);
    else this.#parts = [];
  }

  #take(): Buffer | undefined {
    const [parts, bytes] = [this.#parts, this.#bytes];
    this.#parts = [];
    this.#bytes = 0;
    if (bytes <= MAX_RECORD_BYTES) return parts.length === 1 ? parts[0] : Buffer.concat(parts);
    this.longRecords += 1;
    return undefined;
  }
}
