import { closeSync, openSync } from 'node:fs';
import Sqlite, { type Database as SqliteDatabase } from 'better-sqlite3';
import type { Clock } from '@hermes/runtime';
import { StoreError } from '../store/store-error.ts';
import { migrate } from './migrations/migrate.ts';

/** How long a write keeps trying for the lock, in milliseconds, for canonical rows (session-db spec 14.3). */
const LOCK_BUDGET_MS = 60_000;
/** The driver is synchronous: it may block the event loop for this long at most (spec 14.1). */
const BUSY_TIMEOUT_MS = 50;

/**
 * One connection of a process: opened, migrated, and written to by one transaction at a time.
 * When another process holds the write lock, a write waits without blocking the event loop.
 */
export class Connection {
  readonly db: SqliteDatabase;
  readonly #clock: Clock;
  readonly #path: string;
  #tail: Promise<unknown> = Promise.resolve();
  #queued = 0;

  private constructor(db: SqliteDatabase, clock: Clock, path: string) {
    this.db = db;
    this.#clock = clock;
    this.#path = path;
  }

  static async open(path: string, clock: Clock): Promise<Connection> {
    try {
      if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
      const db = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
      const connection = new Connection(db, clock, path);
      await connection.#retryWhileLocked(() => {
        db.pragma('journal_mode = WAL');
        db.pragma('synchronous = FULL');
        db.pragma('foreign_keys = ON');
        db.pragma('wal_autocheckpoint = 1000');
        migrate(db, clock.now());
      });
      return connection;
    } catch (error) {
      throw storeErrorOf(error, path);
    }
  }

  /**
   * Runs `work` inside BEGIN IMMEDIATE … COMMIT. Writes of this process keep their order; an uncontended one costs no extra turn
   * of the event loop before it starts.
   */
  write<T>(work: () => T): Promise<T> {
    const attempt = () => this.db.transaction(work).immediate();
    const run = async (): Promise<T> => {
      try {
        return await this.#retryWhileLocked(attempt);
      } catch (error) {
        throw storeErrorOf(error, this.#path);
      } finally {
        this.#queued--;
      }
    };
    const result = this.#queued++ === 0 ? run() : this.#tail.then(run, run);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Runs a read; its failures are typed like those of writes. */
  read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeErrorOf(error, this.#path);
    }
  }

  async close(): Promise<void> {
    await this.#tail;
    this.db.close();
  }

  async #retryWhileLocked<T>(attempt: () => T): Promise<T> {
    const started = this.#clock.monotonic();
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        const waited = this.#clock.monotonic() - started;
        if (!isLocked(error) || waited > LOCK_BUDGET_MS) throw error;
        const [least, most] = waited < 2000 ? [20, 150] : [250, 1000];
        await this.#clock.sleep(least + Math.random() * (most - least));
      }
    }
  }
}

function sqliteCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function isLocked(error: unknown): boolean {
  const code = sqliteCode(error);
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

/** What a driver or file error means to the caller, with what to do next. */
function storeErrorOf(error: unknown, path: string): unknown {
  if (error instanceof StoreError) return error;
  const code = sqliteCode(error);
  if (isLocked(error)) {
    return new StoreError('persistence_locked', `Another process keeps the session database locked: ${path}`, error);
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') {
    return new StoreError(
      'disk_full',
      `The disk is full: nothing was written to ${path}. Free some space and try again.`,
      error,
    );
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return new StoreError(
      'db_corrupt',
      `The session database is damaged: ${path}. Keep the file and run \`hermes doctor\`.`,
      error,
    );
  }
  if (
    code.startsWith('SQLITE_READONLY') ||
    code === 'SQLITE_CANTOPEN' ||
    code === 'SQLITE_PERM' ||
    FILE_CODES.has(code)
  ) {
    return new StoreError(
      'permission_denied',
      `The session database cannot be opened for writing: ${path} (${code}).`,
      error,
    );
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return new StoreError('disk_full', `Writing to ${path} failed (${code}): is the disk full or gone?`, error);
  }
  return error;
}

const FILE_CODES = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR']);
