import type { HostClient } from '@hermes/host/rpc';
import { messageOf } from '@hermes/runtime';
import type { Effect, UiMessage } from '../state/message.ts';

/** Blocks of history fetched at a time. */
const HISTORY_PAGE = 400;
const SESSIONS = 200;

export type CallEffect = Exclude<Effect, { type: 'repaint' | 'suspend' | 'exit' }>;

/** Makes the call an effect asks for. What comes of it, an error too, is a message. */
export async function performCall(client: HostClient, effect: CallEffect): Promise<UiMessage | undefined> {
  try {
    return await call(client, effect);
  } catch (error) {
    return failure(effect, messageOf(error));
  }
}

async function call(client: HostClient, effect: CallEffect): Promise<UiMessage | undefined> {
  switch (effect.type) {
    case 'createSession': {
      const { requestId, cwd } = effect;
      const { session } = await client.call('session.create', { request_id: requestId, cwd, source: 'tui' });
      return { type: 'session.created', session };
    }
    case 'resumeSession': {
      const { session, running } = await client.call('session.resume', { ref: effect.ref });
      const page = { session_id: session.session_id, limit: HISTORY_PAGE };
      return { type: 'session.resumed', session, running, history: await client.call('session.history', page) };
    }
    case 'loadOlder': {
      const { sessionId, beforeRow } = effect;
      const page = { session_id: sessionId, before_row: beforeRow, limit: HISTORY_PAGE };
      return { type: 'history.older', sessionId, history: await client.call('session.history', page) };
    }
    case 'submit': {
      const { requestId, sessionId, text, intent } = effect;
      const prompt = { request_id: requestId, session_id: sessionId, text, intent };
      const { status, admission_id: admissionId } = await client.call('prompt.submit', prompt);
      return { type: 'prompt.admitted', requestId, status, admissionId };
    }
    case 'interrupt':
      await client.call('session.interrupt', { session_id: effect.sessionId });
      return undefined;
    case 'listSessions':
      return { type: 'sessions.listed', ...(await client.call('session.list', { limit: SESSIONS })) };
    case 'listModels':
      return { type: 'models.listed', ...(await client.call('model.options', { probe_local: true })) };
    case 'selectModel': {
      const { requestId, option, persist } = effect;
      const { provider, model, base_url } = option;
      const choice = { request_id: requestId, provider, model, base_url, persist };
      return { type: 'model.selected', option, ...(await client.call('setup.select_model', choice)) };
    }
    case 'dispatchCommand': {
      const { sessionId, line } = effect;
      const result = await client.call('command.dispatch', { session_id: sessionId, text: line });
      return { type: 'command.answered', line, result };
    }
  }
}

function failure(effect: CallEffect, reason: string): UiMessage {
  if (effect.type === 'createSession') return { type: 'session.refused', ref: null, reason };
  if (effect.type === 'resumeSession') return { type: 'session.refused', ref: effect.ref, reason };
  if (effect.type === 'submit') return { type: 'prompt.refused', requestId: effect.requestId, reason };
  return { type: 'call.failed', reason };
}
