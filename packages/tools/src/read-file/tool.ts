import type { JsonObject } from '@hermes/providers';
import { fileError } from '@hermes/runtime';
import type { ToolContext, ToolDefinition, ToolOutcome } from '@hermes/tool-registry';
import { countArgument, textArgument } from '../arguments/arguments.ts';
import { type FileRefusal, isRefusal } from '../files/open-file.ts';
import { refuseRead, resolvePath } from '../files/path-rules.ts';
import { noteRead } from '../files/read-tracker.ts';
import { counted, firstLine, refused, result } from '../result/result.ts';
import { type FileLines, readLines } from './read-lines.ts';
import { timesShown } from './repeated-reads.ts';

/** Limits of tools spec 3.1. */
const DEFAULT_LINES = 500;
const MAX_LINES = 2000;
const MAX_CHARS = 100_000;
const MAX_LINE_CHARS = 2000;
const LARGE_FILE_BYTES = 512 * 1024;

/** Shows lines of a text file with their numbers. */
export const readFile: ToolDefinition = {
  name: 'read_file',
  toolset: 'file',
  description:
    'Read a text file. Returns its lines as "N|text" (N is the line number, not part of the file) with total_lines. For a long file use offset and limit. No binary files, directories or credential stores.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute, relative to the working directory, or with ~.' },
      offset: { type: 'integer', default: 1, description: 'First line, from 1.' },
      limit: { type: 'integer', default: DEFAULT_LINES, description: `Lines, at most ${MAX_LINES}.` },
    },
    required: ['path'],
  },
  parallel: 'pathRead',
  effect: 'none',
  maxResultChars: Number.POSITIVE_INFINITY,
  handler: runReadFile,
  summarize: (args) => firstLine(textArgument(args, 'path') ?? ''),
};

async function runReadFile(args: JsonObject, ctx: ToolContext): Promise<ToolOutcome> {
  const place = await resolvePath(ctx, textArgument(args, 'path') ?? '');
  if ('error' in place) return refused(place.error);
  const denied = refuseRead(ctx, place.real);
  if (denied !== undefined) return refused(denied);
  const first = countArgument(args, 'offset', 1, 1, Number.MAX_SAFE_INTEGER);
  const count = countArgument(args, 'limit', DEFAULT_LINES, 1, MAX_LINES);
  const options = { first, count, maxLineChars: MAX_LINE_CHARS, maxChars: MAX_CHARS };
  let lines: FileLines | FileRefusal;
  try {
    lines = await readLines(place.real, options, ctx.signal);
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    return refused(fileError('read', place.path, error).message);
  }
  if (isRefusal(lines)) return refused(lines.error, lines.similar?.length ? { similar_files: [...lines.similar] } : {});
  noteRead(ctx, place.real, lines.stamp);
  if (lines.window.tooMuch) return tooMuch(place.path, lines, count);
  const times = timesShown(ctx, `${first} ${count} ${place.real}`, lines.stamp);
  return times > 0 ? shownBefore(place.path, times) : describe(lines, first);
}

function describe(lines: FileLines, first: number): ToolOutcome {
  const { window, size } = lines;
  const last = first + window.lines.length - 1;
  const content = window.lines.map((line, index) => `${first + index}|${line}`).join('\n');
  const truncated = last < window.total && window.lines.length > 0;
  const hints = hintsFor(lines, first, last, truncated);
  const facts = { content, total_lines: window.total, file_size: size, truncated };
  const range = truncated || first > 1 ? `lines ${first}-${last} of ${window.total}` : counted(window.total, 'line');
  return result(hints.length > 0 ? { ...facts, hint: hints.join(' ') } : facts, { effect: 'none', preview: range });
}

function hintsFor(lines: FileLines, first: number, last: number, truncated: boolean): string[] {
  const { window, size, encoding } = lines;
  const hints: string[] = [];
  if (window.total === 0) hints.push('The file is empty.');
  else if (first > window.total)
    hints.push(`offset ${first} is past the end: the file has ${counted(window.total, 'line')}.`);
  if (truncated) hints.push(`Shown: lines ${first}-${last} of ${window.total}. Go on with offset ${last + 1}.`);
  if (size > LARGE_FILE_BYTES) hints.push('A large file: search_files finds the lines you need faster than paging.');
  if (window.cutLines > 0) hints.push(`${counted(window.cutLines, 'line')} cut at ${MAX_LINE_CHARS} chars.`);
  if (window.crlf) hints.push('The file has CRLF line ends; they are kept when it is edited.');
  if (encoding.startsWith('utf16'))
    hints.push(
      `The file is ${encoding.toUpperCase()}; it is shown transcoded and keeps its encoding when it is edited.`,
    );
  if (window.invalid) hints.push('Bytes that are no valid UTF-8 are shown as \uFFFD.');
  return hints;
}

function tooMuch(path: string, lines: FileLines, count: number): ToolOutcome {
  const { window, size } = lines;
  const fitting = Math.max(1, window.lines.length - 1);
  return refused(
    `The ${counted(count, 'line')} asked of ${path} have more than ${MAX_CHARS.toLocaleString('en')} characters. Ask for fewer: limit ${fitting} fits, or find the place with search_files.`,
    { total_lines: window.total, file_size: size },
  );
}

function shownBefore(path: string, times: number): ToolOutcome {
  if (times > 1)
    return refused(
      `${path} has not changed, and you were already given this range. Work with what you have, or read other lines. If it is no longer in the conversation, read it once more.`,
      { status: 'unchanged' },
    );
  const hint = 'The file has not changed since you read these lines; see the earlier result.';
  return result({ status: 'unchanged', path, hint }, { effect: 'none', preview: 'unchanged' });
}
