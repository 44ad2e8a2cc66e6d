import type { JsonObject } from '@hermes/providers';
import { messageOf } from '@hermes/runtime';
import type { ToolContext, ToolDefinition, ToolOutcome } from '@hermes/tool-registry';
import { textArgument } from '../arguments/arguments.ts';
import { counted, firstLine, refused, result } from '../result/result.ts';
import { type HitCollector, hitCollector } from './collect-hits.ts';
import { timesInRow } from './repeated-searches.ts';
import { ripgrepArguments } from './ripgrep-arguments.ts';
import { type RipgrepEnd, runRipgrep } from './run-ripgrep.ts';
import { type SearchRequest, searchRequest } from './search-request.ts';

const DEADLINE_SECONDS = 60;
const LINE_FEED = 0x0a;
const NUL = 0;

/** Searches in files, or for files by name. */
export const searchFiles: ToolDefinition = {
  name: 'search_files',
  toolset: 'file',
  description:
    'Search in files with a regular expression, or for files by name (target "files", newest first). Skips what .gitignore lists. Use it instead of grep, find and ls.',
  parameters: {
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'Regular expression; for target "files" a glob or a part of a name.' },
      target: { type: 'string', default: 'content', description: '"content" or "files".' },
      path: { type: 'string', default: '.', description: 'Folder or file to search.' },
      file_glob: { type: 'string', description: 'Only files that fit, e.g. "*.ts".' },
      limit: { type: 'integer', default: 50, description: 'At most 500.' },
      offset: { type: 'integer', default: 0, description: 'Entries to skip: next_offset of the page before.' },
      output_mode: {
        type: 'string',
        default: 'content',
        description: '"content" (lines), "files_only" or "count" (per file).',
      },
      context: { type: 'integer', default: 0, description: 'Lines shown before and after a match.' },
    },
    required: ['pattern'],
  },
  parallel: 'pathRead',
  effect: 'none',
  deadlineSeconds: DEADLINE_SECONDS,
  handler: runSearchFiles,
  summarize: (args) =>
    firstLine([textArgument(args, 'pattern'), textArgument(args, 'path')].filter(Boolean).join(' in ')),
};

async function runSearchFiles(args: JsonObject, ctx: ToolContext): Promise<ToolOutcome> {
  const request = await searchRequest(args, ctx);
  if ('error' in request) return refused(request.error);
  const hits = hitCollector(request);
  let end: RipgrepEnd;
  try {
    end = await runRipgrep({
      args: ripgrepArguments(request),
      cwd: request.directory,
      env: ctx.childEnv,
      signal: ctx.signal,
      separator: request.target === 'files' || request.outputMode === 'files_only' ? NUL : LINE_FEED,
      onRecord: hits.onRecord.bind(hits),
    });
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    return refused(`The search could not be started: ${messageOf(error)}. Use grep or find in the terminal.`);
  }
  if (!end.stopped && end.exitCode > 1 && end.stderr.trim() !== '') return refused(explain(request, end.stderr.trim()));
  return answer(request, hits, end, ctx);
}

function answer(request: SearchRequest, hits: HitCollector, end: RipgrepEnd, ctx: ToolContext): ToolOutcome {
  const page = hits.page();
  const next = request.offset + page.length;
  const truncated = page.length > 0 && next < hits.total;
  const hint = hintFor(request, hits, page.length === 0, end);
  const facts: JsonObject = {
    matches: page,
    total_count: hits.total,
    ...(hits.matchingLines === undefined ? {} : { total_matches: hits.matchingLines }),
    truncated,
    ...(truncated ? { next_offset: next } : {}),
    ...(hits.omitted > 0 ? { _omitted: hits.omitted } : {}),
    ...(hint === '' ? {} : { hint }),
  };
  const { pattern, target, outputMode, fileGlob, directory, operand, limit, offset, context } = request;
  const search = [pattern, target, outputMode, fileGlob, directory, operand, limit, offset, context];
  const times = timesInRow(ctx, JSON.stringify([search, facts]));
  if (times > 3)
    return refused(
      'This search gave the same answer four times in a row. Work with what you have, or search for something else.',
    );
  const warned =
    times === 3 ? { ...facts, _warning: 'The same search with the same answer for the third time.' } : facts;
  const noun = target === 'files' || outputMode !== 'content' ? 'file' : 'match';
  return result(warned, { effect: 'none', preview: noun === 'file' ? counted(hits.total, noun) : matches(hits.total) });
}

function hintFor(request: SearchRequest, hits: HitCollector, pageIsEmpty: boolean, end: RipgrepEnd): string {
  const hints: string[] = [];
  if (hits.total === 0)
    hints.push('Nothing found. Files that .gitignore lists are skipped unless path names their folder.');
  else if (pageIsEmpty) hints.push(`offset ${request.offset} is past the last of ${hits.total}.`);
  if (end.stopped)
    hints.push('The search ended early: total_count is a minimum. Narrow it with path, file_glob or the pattern.');
  if (end.exitCode > 1) hints.push('Some files could not be read.');
  if (end.longRecords > 0) hints.push(`${counted(end.longRecords, 'hit')} in very long lines left out.`);
  if (hits.omitted > 0) hints.push('Hits in credential files are left out and counted in _omitted.');
  return hints.join(' ');
}

function matches(count: number): string {
  return `${count} match${count === 1 ? '' : 'es'}`;
}

/** What ripgrep says of a bad pattern or glob, with the way out. */
function explain(request: SearchRequest, stderr: string): string {
  const reason = stderr.replace(/^rg: /u, '');
  if (request.target === 'files') return `The glob is not valid: ${reason}`;
  return `The search failed: ${reason}\nCheck pattern (a regular expression: escape ( [ { . * + ? as \\( …) and file_glob.`;
}
