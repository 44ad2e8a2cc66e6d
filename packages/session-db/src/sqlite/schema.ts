/** Tables as kysely sees them. Times are milliseconds since the epoch; booleans are 0 or 1; JSON is text. */
export interface SessionsTable {
  id: string;
  source: string;
  profile_name: string;
  cwd: string;
  provider: string;
  model: string;
  parent_session_id: string | null;
  child_kind: string | null;
  title: string | null;
  title_source: string | null;
  system_prompt_hash: string | null;
  tool_names_json: string | null;
  tool_schema_hash: string | null;
  started_at: number;
  last_activity_at: number;
  message_count: number;
  tool_call_count: number;
  api_call_count: number;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  reasoning_tokens: number;
}

export interface MessagesTable {
  id: number;
  uid: string;
  session_id: string;
  turn_id: string;
  admission_id: string | null;
  role: string;
  content: string;
  api_content: string | null;
  tool_call_id: string | null;
  tool_calls: string | null;
  tool_name: string | null;
  effect_disposition: string | null;
  created_at: number;
  finish_reason: string | null;
  reasoning: string | null;
  generation: number;
  active: number;
  display_kind: string | null;
  display_metadata: string | null;
}

export interface Database {
  sessions: SessionsTable;
  messages: MessagesTable;
}
