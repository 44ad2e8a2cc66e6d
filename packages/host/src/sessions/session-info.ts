import type { SessionRecord, SessionSummary } from '@hermes/session-db';
import type { SessionInfo } from '../rpc/contract.ts';

/** A session as doors see it. */
export function toSessionInfo(session: SessionRecord | SessionSummary): SessionInfo {
  return {
    session_id: session.id,
    title: session.title ?? null,
    source: session.source,
    cwd: session.cwd,
    model: session.model,
    started_at: session.startedAt,
    last_activity_at: session.lastActivityAt,
    message_count: session.messageCount,
    preview: 'preview' in session ? session.preview : '',
  };
}
