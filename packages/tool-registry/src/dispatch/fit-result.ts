import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolContext } from '../definition/tool-definition.ts';

/** Characters of a result that reach the model (tools spec 4.4). */
const DEFAULT_MAX_RESULT_CHARS = 100_000;

/** Characters of a spilled result that stay in the conversation. */
const PREVIEW_CHARS = 1500;

/**
 * Keeps a result within its size. A longer one is written whole to a private file, and the model gets its size, its place, how to
 * page through it and its beginning. When no file can be written the result is cut and says so.
 */
export async function fitResult(content: string, maxChars: number | undefined, context: ToolContext): Promise<string> {
  const limit = maxChars ?? DEFAULT_MAX_RESULT_CHARS;
  if (content.length <= limit) return content;
  const preview = cutAtLineEnd(content, PREVIEW_CHARS);
  const path = join(context.cacheDir, 'spillover', `${context.callId.replaceAll(/[^A-Za-z0-9_-]/gu, '_')}.txt`);
  try {
    await mkdir(join(context.cacheDir, 'spillover'), { recursive: true, mode: 0o700 });
    await writeFile(path, content, { mode: 0o600 });
  } catch {
    const kept = content.slice(0, limit).toWellFormed();
    return `${kept}\n[Cut: ${content.length - kept.length} more characters are lost, because no file could be written for them.]`;
  }
  return JSON.stringify({
    spilled: true,
    total_chars: content.length,
    path,
    hint: 'The whole result is in this file; page through it with read_file offset and limit.',
    preview,
  });
}

function cutAtLineEnd(text: string, chars: number): string {
  const head = text.slice(0, chars).toWellFormed();
  const end = head.lastIndexOf('\n');
  return end > chars / 2 ? head.slice(0, end) : head;
}
