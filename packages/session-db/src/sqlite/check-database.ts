import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { messageOf } from '@hermes/runtime';
import { migrations } from './migrations/migrate.ts';

/** What a look at the database file found; nothing was changed. */
export type DatabaseCheck =
  | { readonly state: 'missing' }
  | { readonly state: 'ok'; readonly schema: number; readonly bytes: number; readonly sessions: number }
  | { readonly state: 'older'; readonly schema: number; readonly newest: number }
  | { readonly state: 'newer'; readonly schema: number; readonly newest: number }
  | { readonly state: 'damaged'; readonly problem: string };

/** Checks a session database without writing to it: readable, whole (`PRAGMA quick_check`), of a known schema. */
export function checkDatabase(path: string): DatabaseCheck {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || stats.size === 0) return { state: 'missing' };
  let db: Sqlite.Database | undefined;
  try {
    db = new Sqlite(path, { readonly: true, fileMustExist: true });
    const verdict = db.pragma('quick_check', { simple: true });
    if (verdict !== 'ok') return { state: 'damaged', problem: String(verdict) };
    const schema = Number(db.pragma('user_version', { simple: true }));
    const newest = migrations.at(-1)?.version ?? 0;
    if (schema !== newest) return { state: schema > newest ? 'newer' : 'older', schema, newest };
    const sessions = db.prepare<[], number>('SELECT count(*) FROM sessions').pluck().get() ?? 0;
    return { state: 'ok', schema, bytes: stats.size, sessions };
  } catch (error) {
    return { state: 'damaged', problem: messageOf(error) };
  } finally {
    db?.close();
  }
}
