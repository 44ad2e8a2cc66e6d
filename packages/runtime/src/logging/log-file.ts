import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectories } from '../files/make-directories.ts';

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
/** A rotation takes a moment; a lock this old was left by a process that died in one. */
const ABANDONED_LOCK_MS = 10_000;

export interface LogFileOptions {
  readonly path: string;
  /** The file is rotated before it grows beyond this many bytes. */
  readonly maxBytes: number;
  /** Older files kept: `path.1` is the youngest. */
  readonly keep: number;
}

interface OpenFile {
  readonly fd: number;
  readonly inode: number;
}

/**
 * An append-only file of lines that several processes may write to at once. It is opened by the first write, opened
 * again when somebody moved or removed it, and rotated by size. No failure ever reaches the caller: a line that
 * cannot be written is counted and the next one that can says how many are missing.
 */
export class LogFile {
  readonly #options: LogFileOptions;
  #open: OpenFile | undefined;
  #lost = 0;
  /** The file ends inside a line: a write was cut short, here or in a process that is gone. */
  #torn = false;

  constructor(options: LogFileOptions) {
    this.#options = options;
  }

  /** Lines that could not be written since the last one that was. */
  get lost(): number {
    return this.#lost;
  }

  /** Appends one line, given without its line end. */
  append(line: string): void {
    try {
      const { fd } = this.#current(Buffer.byteLength(line) + 1);
      const bytes = Buffer.from(`${this.#torn ? '\n' : ''}${line}\n`);
      const written = writeSync(fd, bytes);
      this.#torn = written < bytes.length;
      this.#lost = this.#torn ? this.#lost + 1 : 0;
    } catch {
      this.#lost++;
      this.close();
    }
  }

  close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    try {
      closeSync(open.fd);
    } catch {
      // Nothing can be done about a descriptor that does not close.
    }
  }

  /** The file of that name as it is now, with room for `size` more bytes. */
  #current(size: number): OpenFile {
    const status = statSync(this.#options.path, { throwIfNoEntry: false });
    if (status !== undefined && status.size > 0 && status.size + size > this.#options.maxBytes && this.#rotate(size)) {
      this.close();
    } else if (this.#open !== undefined && status?.ino !== this.#open.inode) this.close();
    this.#open ??= this.#openFile();
    return this.#open;
  }

  #openFile(): OpenFile {
    makeDirectories(dirname(this.#options.path), DIRECTORY_MODE);
    const fd = openSync(this.#options.path, 'a+', FILE_MODE);
    const { ino, size } = fstatSync(fd);
    this.#torn = size > 0 && !endsLine(fd, size);
    return { fd, inode: ino };
  }

  /** Moves the files one place on. Answers false when another process is doing it; this one then just goes on. */
  #rotate(size: number): boolean {
    const { path, keep, maxBytes } = this.#options;
    const lock = `${path}.lock`;
    if (!takeLock(lock)) return false;
    try {
      const status = statSync(path, { throwIfNoEntry: false });
      if (status === undefined || status.size + size <= maxBytes) return true;
      for (let place = keep - 1; place >= 1; place--) {
        if (statSync(`${path}.${place}`, { throwIfNoEntry: false }) !== undefined) {
          renameSync(`${path}.${place}`, `${path}.${place + 1}`);
        }
      }
      renameSync(path, `${path}.1`);
      return true;
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

function endsLine(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return readSync(fd, last, 0, 1, size - 1) !== 1 || last[0] === 0x0a;
}

function takeLock(lock: string): boolean {
  const held = statSync(lock, { throwIfNoEntry: false });
  if (held !== undefined) {
    if (Date.now() - held.mtimeMs < ABANDONED_LOCK_MS) return false;
    rmSync(lock, { force: true });
  }
  try {
    closeSync(openSync(lock, 'wx', FILE_MODE));
    return true;
  } catch {
    return false;
  }
}
