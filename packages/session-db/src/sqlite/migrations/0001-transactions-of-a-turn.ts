import type { Migration } from './migration.ts';

/** Sessions, transcript, prompts, spend, and what makes a turn a transaction: admissions, leases, turns, tool runs. */
export const transactionsOfATurn: Migration = {
  version: 1,
  name: 'transactions of a turn',
  sql: `
CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE system_prompts (
  hash TEXT PRIMARY KEY,
  prompt TEXT NOT NULL,
  stable_len INTEGER NOT NULL,
  context_len INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  profile_name TEXT NOT NULL,
  cwd TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  parent_session_id TEXT REFERENCES sessions(id),
  child_kind TEXT CHECK (child_kind IN ('compression','branch','delegate','reset','import')),
  title TEXT,
  title_source TEXT,
  system_prompt_hash TEXT REFERENCES system_prompts(hash),
  tool_names_json TEXT,
  tool_schema_hash TEXT,
  started_at INTEGER NOT NULL,
  last_activity_at INTEGER NOT NULL,
  message_count INTEGER NOT NULL DEFAULT 0,
  tool_call_count INTEGER NOT NULL DEFAULT 0,
  api_call_count INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  cache_read_tokens INTEGER NOT NULL DEFAULT 0,
  cache_write_tokens INTEGER NOT NULL DEFAULT 0,
  reasoning_tokens INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sessions_activity ON sessions(last_activity_at DESC);
CREATE INDEX sessions_source ON sessions(source, id);
CREATE UNIQUE INDEX sessions_title ON sessions(title) WHERE title IS NOT NULL;

CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  turn_id TEXT NOT NULL,
  admission_id TEXT,
  role TEXT NOT NULL CHECK (role IN ('user','assistant','tool')),
  content TEXT NOT NULL,
  api_content TEXT,
  tool_call_id TEXT,
  tool_calls TEXT,
  tool_name TEXT,
  effect_disposition TEXT CHECK (effect_disposition IN ('none','done','maybe','unknown')),
  created_at INTEGER NOT NULL,
  finish_reason TEXT,
  reasoning TEXT,
  generation INTEGER NOT NULL DEFAULT 0,
  active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
  display_kind TEXT CHECK (display_kind IN ('hidden','interrupted_partial','failed_turn')),
  display_metadata TEXT
) STRICT;
CREATE INDEX messages_session ON messages(session_id, active, id);
CREATE UNIQUE INDEX messages_uid ON messages(session_id, uid, generation);
CREATE UNIQUE INDEX messages_admission ON messages(session_id, admission_id)
  WHERE role = 'user' AND active = 1 AND admission_id IS NOT NULL;
CREATE UNIQUE INDEX messages_tool_result ON messages(session_id, turn_id, tool_call_id, generation) WHERE role = 'tool';

CREATE TABLE session_model_usage (
  session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  model TEXT NOT NULL,
  billing_provider TEXT NOT NULL,
  billing_base_url TEXT NOT NULL,
  billing_mode TEXT NOT NULL DEFAULT '',
  task TEXT NOT NULL DEFAULT '',
  api_call_count INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  PRIMARY KEY (session_id, model, billing_provider, billing_base_url, billing_mode, task)
) STRICT;

CREATE TABLE session_turn_leases (
  conversation_id TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  fence INTEGER NOT NULL,
  acquired_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE session_admissions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  admission_id TEXT NOT NULL UNIQUE,
  request_id TEXT NOT NULL,
  principal_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  target_session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE RESTRICT,
  payload TEXT NOT NULL,
  intent TEXT NOT NULL CHECK (intent IN ('queue','steer')),
  status TEXT NOT NULL CHECK (status IN ('queued','started','unknown','terminal')),
  outcome TEXT CHECK (outcome IN ('completed','interrupted','rejected','failed','cancelled','steered')),
  attempt INTEGER NOT NULL DEFAULT 0,
  consumed_turn_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (principal_id, target_session_id, request_id),
  CHECK ((status = 'terminal') = (outcome IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX admissions_one_started ON session_admissions(target_session_id) WHERE status = 'started';
CREATE INDEX admissions_open ON session_admissions(target_session_id, seq) WHERE status <> 'terminal';

CREATE TABLE turns (
  turn_id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  admission_id TEXT NOT NULL,
  lease_fence INTEGER NOT NULL,
  phase TEXT NOT NULL CHECK (phase IN ('calling','tools','ended')),
  end_reason TEXT,
  api_calls INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  CHECK ((phase = 'ended') = (end_reason IS NOT NULL))
) STRICT;
CREATE INDEX turns_open ON turns(session_id) WHERE phase <> 'ended';

CREATE TABLE tool_runs (
  turn_id TEXT NOT NULL REFERENCES turns(turn_id),
  tool_call_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  effect TEXT NOT NULL CHECK (effect IN ('none','local','external','unknown')),
  status TEXT NOT NULL CHECK (status IN ('planned','dispatched','finished','unknown','skipped')),
  started_at INTEGER,
  finished_at INTEGER,
  result_row_id INTEGER,
  PRIMARY KEY (turn_id, tool_call_id)
) STRICT, WITHOUT ROWID;
`,
};
