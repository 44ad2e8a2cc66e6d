import type { Database as SqliteDatabase } from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { Clock } from '@hermes/runtime';
import type {
  FrozenPrompt,
  NewSession,
  SessionFilter,
  SessionRecord,
  SessionSummary,
  ToolPin,
} from '../store/session.ts';
import { newSessionId } from '../store/session-id.ts';
import type { CallUsage } from '../store/session-store.ts';
import { StoreError } from '../store/store-error.ts';
import type { Connection } from './connection.ts';
import { toSession, toSummary } from './row-mapping.ts';
import type { Database, SessionsTable } from './schema.ts';
import type { Statements } from './statements.ts';

/** Sources that pickers and `latest` leave out (CLI spec 3.2). */
const HIDDEN_SOURCES = ['oneshot'];

/** Sessions, their prompts and their spend. Lists are built with kysely, which loads on the first one. */
export class Sessions {
  readonly #connection: Connection;
  readonly #sql: Statements;
  readonly #clock: Clock;
  #kysely: Promise<Kysely<Database>> | undefined;

  constructor(connection: Connection, sql: Statements, clock: Clock) {
    this.#connection = connection;
    this.#sql = sql;
    this.#clock = clock;
  }

  create(session: NewSession): Promise<SessionRecord> {
    return this.#connection.write(() => {
      const now = this.#clock.now();
      const id = newSessionId(now);
      this.#sql.run(
        `INSERT INTO sessions (id, source, profile_name, cwd, provider, model, parent_session_id, child_kind, started_at, last_activity_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        session.source,
        session.profile,
        session.cwd,
        session.provider,
        session.model,
        session.parentSessionId ?? null,
        session.childKind ?? null,
        now,
        now,
      );
      return this.#require(id);
    });
  }

  find(id: string): SessionRecord | undefined {
    return this.#connection.read(() => {
      const row = this.#sql.get<SessionsTable>('SELECT * FROM sessions WHERE id = ?', id);
      return row && toSession(row);
    });
  }

  async list(filter: SessionFilter): Promise<readonly SessionSummary[]> {
    let query = (await this.#summaries()).orderBy('last_activity_at', 'desc').orderBy('id', 'desc').limit(filter.limit);
    if (filter.source !== undefined) query = query.where('source', '=', filter.source);
    else if (!filter.includeHidden) query = query.where('source', 'not in', HIDDEN_SOURCES);
    query = query.where('message_count', '>', 0);
    if (filter.cwd !== undefined) query = query.where('cwd', '=', filter.cwd);
    return (await query.execute()).map(toSummary);
  }

  async byPrefix(prefix: string, limit: number): Promise<readonly SessionSummary[]> {
    const query = (await this.#summaries())
      .where('id', '>=', prefix)
      .where('id', '<', `${prefix}\u{10FFFF}`)
      .orderBy('id', 'desc')
      .limit(limit);
    return (await query.execute()).map(toSummary);
  }

  async byTitle(title: string): Promise<SessionSummary | undefined> {
    const query = (await this.#summaries())
      .where((eb) => eb.or([eb('title', '=', title), eb.between('title', `${title} #`, `${title} #\u{10FFFF}`)]))
      .orderBy('last_activity_at', 'desc')
      .limit(1);
    const row = await query.executeTakeFirst();
    return row && toSummary(row);
  }

  proposeTitle(id: string, title: string): Promise<string> {
    return this.#connection.write(() => {
      const session = this.#require(id);
      if (session.title !== undefined) return session.title;
      const free = this.#freeTitle(cleanTitle(title));
      this.#sql.run(`UPDATE sessions SET title = ?, title_source = 'derived' WHERE id = ?`, free, id);
      return free;
    });
  }

  /** Inside a write transaction. */
  bindPrompt(sessionId: string, prompt: FrozenPrompt, tools: ToolPin): void {
    this.#sql.run(
      `INSERT INTO system_prompts (hash, prompt, stable_len, context_len, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (hash) DO NOTHING`,
      prompt.hash,
      prompt.text,
      prompt.stableBytes,
      prompt.contextBytes,
      this.#clock.now(),
    );
    this.#sql.run(
      'UPDATE sessions SET system_prompt_hash = ?, tool_names_json = ?, tool_schema_hash = ? WHERE id = ?',
      prompt.hash,
      JSON.stringify(tools.names),
      tools.schemaHash,
      sessionId,
    );
  }

  prompt(hash: string): FrozenPrompt | undefined {
    return this.#connection.read(() => {
      const row = this.#sql.get<{ prompt: string; stable_len: number; context_len: number }>(
        'SELECT prompt, stable_len, context_len FROM system_prompts WHERE hash = ?',
        hash,
      );
      return row && { hash, text: row.prompt, stableBytes: row.stable_len, contextBytes: row.context_len };
    });
  }

  /** Inside a write transaction: the spend of one response, once. */
  addUsage(sessionId: string, call: CallUsage): void {
    const now = this.#clock.now();
    const tokens = [
      call.usage.input,
      call.usage.output,
      call.usage.cacheRead,
      call.usage.cacheWrite,
      call.usage.reasoning,
    ].map((count) => (Number.isFinite(count) && count > 0 ? Math.round(count) : 0));
    this.#sql.run(
      `UPDATE sessions SET api_call_count = api_call_count + ?, input_tokens = input_tokens + ?, output_tokens = output_tokens + ?,
         cache_read_tokens = cache_read_tokens + ?, cache_write_tokens = cache_write_tokens + ?, reasoning_tokens = reasoning_tokens + ?
       WHERE id = ?`,
      call.requests,
      ...tokens,
      sessionId,
    );
    this.#sql.run(
      `INSERT INTO session_model_usage (session_id, model, billing_provider, billing_base_url, api_call_count, input_tokens,
         output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, first_seen, last_seen)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET api_call_count = api_call_count + excluded.api_call_count, input_tokens = input_tokens + excluded.input_tokens,
         output_tokens = output_tokens + excluded.output_tokens, cache_read_tokens = cache_read_tokens + excluded.cache_read_tokens,
         cache_write_tokens = cache_write_tokens + excluded.cache_write_tokens,
         reasoning_tokens = reasoning_tokens + excluded.reasoning_tokens, last_seen = excluded.last_seen`,
      sessionId,
      call.model,
      call.provider,
      call.baseUrl,
      call.requests,
      ...tokens,
      now,
      now,
    );
  }

  #require(id: string): SessionRecord {
    const row = this.#sql.get<SessionsTable>('SELECT * FROM sessions WHERE id = ?', id);
    if (!row)
      throw new StoreError('not_found', `There is no session ${id}. \`hermes sessions list\` shows those that exist.`);
    return toSession(row);
  }

  #freeTitle(title: string): string {
    for (let n = 1; ; n++) {
      const candidate = n === 1 ? title : `${title} #${n}`;
      if (!this.#sql.get('SELECT 1 AS taken FROM sessions WHERE title = ?', candidate)) return candidate;
    }
  }

  async #summaries() {
    this.#kysely ??= openKysely(this.#connection.db);
    const kysely = await this.#kysely;
    return kysely
      .selectFrom('sessions')
      .selectAll('sessions')
      .select((eb) =>
        eb
          .selectFrom('messages')
          .select('content')
          .whereRef('messages.session_id', '=', 'sessions.id')
          .where('role', '=', 'user')
          .orderBy('messages.id')
          .limit(1)
          .as('first_text'),
      );
  }
}

async function openKysely(database: SqliteDatabase): Promise<Kysely<Database>> {
  const { Kysely: KyselyClass, SqliteDialect } = await import('kysely');
  return new KyselyClass<Database>({ dialect: new SqliteDialect({ database }) });
}

/** At most 100 characters, one line, without control, zero-width and direction characters (session-db spec 18.2). */
function cleanTitle(title: string): string {
  const clean = title
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return Array.from(clean).slice(0, 94).join('') || 'untitled';
}
