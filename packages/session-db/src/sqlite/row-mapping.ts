import type { JsonValue, ToolCall } from '@hermes/providers';
import type { Admission } from '../store/admission.ts';
import type { DisplayKind, EffectDisposition, RowRole, StoredRow } from '../store/row.ts';
import type { SessionRecord, SessionSummary } from '../store/session.ts';
import { previewOf } from '../store/text.ts';
import type { MessagesTable, SessionsTable } from './schema.ts';

export interface AdmissionRow {
  seq: number;
  admission_id: string;
  request_id: string;
  principal_id: string;
  owner: string;
  target_session_id: string;
  payload: string;
  intent: Admission['intent'];
  status: Admission['status'];
  outcome: Admission['outcome'] | null;
  attempt: number;
  created_at: number;
}

export function toAdmission(row: AdmissionRow): Admission {
  return {
    id: row.admission_id,
    seq: row.seq,
    requestId: row.request_id,
    principalId: row.principal_id,
    owner: row.owner,
    sessionId: row.target_session_id,
    text: row.payload,
    intent: row.intent,
    status: row.status,
    ...(row.outcome ? { outcome: row.outcome } : {}),
    attempt: row.attempt,
    createdAt: row.created_at,
  };
}

export function toStoredRow(row: MessagesTable): StoredRow {
  return {
    id: row.id,
    sessionId: row.session_id,
    turnId: row.turn_id,
    role: row.role as RowRole,
    content: row.content,
    createdAt: row.created_at,
    ...(row.api_content === null ? {} : { apiContent: row.api_content }),
    ...(row.tool_calls === null ? {} : { toolCalls: JSON.parse(row.tool_calls) as ToolCall[] }),
    ...(row.tool_call_id === null ? {} : { toolCallId: row.tool_call_id }),
    ...(row.tool_name === null ? {} : { toolName: row.tool_name }),
    ...(row.reasoning === null ? {} : { reasoning: row.reasoning }),
    ...(row.finish_reason === null ? {} : { finishReason: row.finish_reason }),
    ...(row.effect_disposition === null ? {} : { effect: row.effect_disposition as EffectDisposition }),
    ...(row.display_kind === null ? {} : { displayKind: row.display_kind as DisplayKind }),
    ...(row.display_metadata === null ? {} : { displayMetadata: JSON.parse(row.display_metadata) as JsonValue }),
  };
}

export function toSession(row: SessionsTable): SessionRecord {
  return {
    id: row.id,
    source: row.source,
    profile: row.profile_name,
    cwd: row.cwd,
    provider: row.provider,
    model: row.model,
    ...(row.parent_session_id === null ? {} : { parentSessionId: row.parent_session_id }),
    ...(row.child_kind === null ? {} : { childKind: row.child_kind as NonNullable<SessionRecord['childKind']> }),
    ...(row.title === null ? {} : { title: row.title }),
    startedAt: row.started_at,
    lastActivityAt: row.last_activity_at,
    ...(row.system_prompt_hash === null ? {} : { promptHash: row.system_prompt_hash }),
    ...(row.tool_names_json === null || row.tool_schema_hash === null
      ? {}
      : { toolPin: { names: JSON.parse(row.tool_names_json) as string[], schemaHash: row.tool_schema_hash } }),
    messageCount: row.message_count,
    toolCallCount: row.tool_call_count,
    apiCallCount: row.api_call_count,
    usage: {
      input: row.input_tokens,
      output: row.output_tokens,
      cacheRead: row.cache_read_tokens,
      cacheWrite: row.cache_write_tokens,
      reasoning: row.reasoning_tokens,
    },
  };
}

export function toSummary(row: SessionsTable & { first_text: string | null }): SessionSummary {
  return { ...toSession(row), preview: previewOf(row.first_text ?? '') };
}
