export { openSqliteStore, type SqliteStoreOptions } from '@hermes/session-db/sqlite';
