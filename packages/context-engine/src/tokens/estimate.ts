import type { Message, ToolSchema } from '@hermes/providers';

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Rough token count of a text: UTF-8 bytes / 4, with one token for each CJK character (context spec 5.7). */
export function estimateTokens(text: string): number {
  const wide = text.match(CJK);
  if (!wide) return Math.ceil(Buffer.byteLength(text) / 4);
  return wide.length + Math.ceil((Buffer.byteLength(text) - Buffer.byteLength(wide.join(''))) / 4);
}

/** Rough token count of one message with its envelope: +10, the whole call envelope counted. */
export function estimateMessageTokens(message: Message): number {
  const content = typeof message.content === 'string' ? message.content : JSON.stringify(message.content);
  const calls = message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls) : '';
  return 10 + estimateTokens(content) + estimateTokens(calls);
}

/** Rough token count of the tool list. */
export function estimateToolTokens(tools: readonly ToolSchema[]): number {
  return estimateTokens(JSON.stringify(tools));
}
