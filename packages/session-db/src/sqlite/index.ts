export { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
export { checkDatabase, type DatabaseCheck } from './check-database.ts';
