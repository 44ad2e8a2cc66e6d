import type { Message } from '@hermes/providers';

/** What can be said without a model when the last call gave no text: which tools the turn used last. */
export function localSummary(messages: readonly Message[]): string {
  const tools: string[] = [];
  for (const message of messages.toReversed()) {
    if (message.role === 'user' && tools.length > 0) break;
    if (message.role === 'tool') tools.unshift(message.toolName);
  }
  const last = tools.slice(-5).join(', ');
  return last === ''
    ? 'The limit of model calls was reached before there was an answer.'
    : `The limit of model calls was reached before there was an answer. The last tools used were: ${last}.`;
}
