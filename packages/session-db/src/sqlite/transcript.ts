import { type Clock, ulid } from '@hermes/runtime';
import type { NewRow, StoredRow } from '../store/row.ts';
import { storableText } from '../store/text.ts';
import type { Connection } from './connection.ts';
import { toStoredRow } from './row-mapping.ts';
import type { MessagesTable } from './schema.ts';
import type { Statements } from './statements.ts';

/** The append-only transcript. Its writers call `insert` inside their own transaction. */
export class Transcript {
  readonly #connection: Connection;
  readonly #sql: Statements;
  readonly #clock: Clock;

  constructor(connection: Connection, sql: Statements, clock: Clock) {
    this.#connection = connection;
    this.#sql = sql;
    this.#clock = clock;
  }

  insert(sessionId: string, turnId: string, rows: readonly NewRow[], admissionId?: string): StoredRow[] {
    const now = this.#clock.now();
    const stored = rows.map((row) => this.#insertOne(sessionId, turnId, row, now, admissionId));
    const calls = rows.reduce((sum, row) => sum + (row.toolCalls?.length ?? 0), 0);
    this.#sql.run(
      'UPDATE sessions SET message_count = message_count + ?, tool_call_count = tool_call_count + ?, last_activity_at = ? WHERE id = ?',
      rows.length,
      calls,
      now,
      sessionId,
    );
    return stored;
  }

  userRowOf(sessionId: string, admissionId: string): StoredRow | undefined {
    const row = this.#sql.get<MessagesTable>(
      `SELECT * FROM messages WHERE session_id = ? AND admission_id = ? AND role = 'user' AND active = 1`,
      sessionId,
      admissionId,
    );
    return row && toStoredRow(row);
  }

  /** The row that ends the turn's tool use with words, if the turn got that far. */
  answerOf(turnId: string, sessionId: string): StoredRow | undefined {
    const row = this.#sql.get<MessagesTable>(
      `SELECT * FROM messages WHERE session_id = ? AND turn_id = ? AND role = 'assistant' AND active = 1 AND tool_calls IS NULL
         AND display_kind IS NULL AND coalesce(finish_reason, 'length') <> 'length' ORDER BY id DESC LIMIT 1`,
      sessionId,
      turnId,
    );
    return row && toStoredRow(row);
  }

  lastRow(sessionId: string): StoredRow | undefined {
    const row = this.#sql.get<MessagesTable>(
      `SELECT * FROM messages WHERE session_id = ? AND active = 1 AND coalesce(display_kind, '') <> 'interrupted_partial'
       ORDER BY id DESC LIMIT 1`,
      sessionId,
    );
    return row && toStoredRow(row);
  }

  active(sessionId: string): readonly StoredRow[] {
    return this.#connection.read(() =>
      this.#sql
        .all<MessagesTable>(
          `SELECT * FROM messages WHERE session_id = ? AND active = 1 AND coalesce(display_kind, '') <> 'interrupted_partial' ORDER BY id`,
          sessionId,
        )
        .map(toStoredRow),
    );
  }

  visible(sessionId: string, page: { beforeId?: number; limit: number }): readonly StoredRow[] {
    return this.#connection.read(() =>
      this.#sql
        .all<MessagesTable>(
          `SELECT * FROM messages WHERE session_id = ? AND active = 1 AND coalesce(display_kind, '') <> 'hidden' AND id < ?
           ORDER BY id DESC LIMIT ?`,
          sessionId,
          page.beforeId ?? Number.MAX_SAFE_INTEGER,
          page.limit,
        )
        .toReversed()
        .map(toStoredRow),
    );
  }

  #insertOne(sessionId: string, turnId: string, row: NewRow, now: number, admissionId: string | undefined): StoredRow {
    const content = storableText(row.content);
    const { lastInsertRowid } = this.#sql.run(
      `INSERT INTO messages (uid, session_id, turn_id, admission_id, role, content, api_content, tool_call_id, tool_calls, tool_name,
         effect_disposition, created_at, finish_reason, reasoning, display_kind, display_metadata)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ulid(now),
      sessionId,
      turnId,
      admissionId ?? null,
      row.role,
      content,
      row.apiContent === undefined ? null : storableText(row.apiContent),
      row.toolCallId ?? null,
      row.toolCalls?.length ? storableText(JSON.stringify(row.toolCalls)) : null,
      row.toolName ?? null,
      row.effect ?? null,
      now,
      row.finishReason ?? null,
      row.reasoning ? storableText(row.reasoning) : null,
      row.displayKind ?? null,
      row.displayMetadata === undefined ? null : JSON.stringify(row.displayMetadata),
    );
    return { ...row, content, id: Number(lastInsertRowid), sessionId, turnId, createdAt: now };
  }
}
