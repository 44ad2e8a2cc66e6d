import { createHash } from 'node:crypto';
import type { Database as SqliteDatabase } from 'better-sqlite3';
import { StoreError } from '../../store/store-error.ts';
import { transactionsOfATurn } from './0001-transactions-of-a-turn.ts';
import type { Migration } from './migration.ts';

export const migrations: readonly Migration[] = [transactionsOfATurn];

/**
 * Brings a database to the newest shape this version knows. A database that is newer is refused, not touched.
 * Several processes may do this at once: the write lock orders them, and who comes second finds the work done.
 */
export function migrate(db: SqliteDatabase, now: number): void {
  const newest = migrations.at(-1)?.version ?? 0;
  const current = db.pragma('user_version', { simple: true });
  if (current === newest) return;
  if (typeof current === 'number' && current > newest) {
    throw new StoreError(
      'newer_schema',
      `The session database has schema ${current}, this version knows ${newest}. Update Hermes, or use the version that wrote it.`,
    );
  }
  db.transaction(() => applyMissing(db, now)).immediate();
}

function applyMissing(db: SqliteDatabase, now: number): void {
  db.exec(
    'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL, checksum TEXT NOT NULL) STRICT',
  );
  const applied = new Set(db.prepare<[], number>('SELECT version FROM schema_migrations').pluck().all());
  const record = db.prepare('INSERT INTO schema_migrations (version, name, applied_at, checksum) VALUES (?, ?, ?, ?)');
  for (const migration of migrations) {
    if (applied.has(migration.version)) continue;
    db.exec(migration.sql);
    record.run(migration.version, migration.name, now, createHash('sha256').update(migration.sql).digest('hex'));
    db.pragma(`user_version = ${migration.version}`);
  }
}
