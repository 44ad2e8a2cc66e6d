import type { Database as SqliteDatabase, Statement } from 'better-sqlite3';

/** Prepared statements by their text: hot paths pay for parsing once. */
export class Statements {
  readonly #db: SqliteDatabase;
  readonly #cache = new Map<string, Statement>();

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  run(sql: string, ...values: unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint } {
    return this.#prepare(sql).run(...values);
  }

  /** The first row, as the shape the caller selected. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the row shape is the caller's knowledge of its own SELECT
  get<T>(sql: string, ...values: unknown[]): T | undefined {
    return this.#prepare(sql).get(...values) as T | undefined;
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as above
  all<T>(sql: string, ...values: unknown[]): T[] {
    return this.#prepare(sql).all(...values) as T[];
  }

  #prepare(sql: string): Statement {
    let statement = this.#cache.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#cache.set(sql, statement);
    }
    return statement;
  }
}
