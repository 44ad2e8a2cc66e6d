import type { IncomingMessage } from 'node:http';

/** The body of a response as text, at most about `limit` characters; what had come when the connection broke, if it did. */
export async function readText(response: IncomingMessage, limit: number): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length > limit) break;
    }
  } catch {
    return text;
  }
  return text;
}
