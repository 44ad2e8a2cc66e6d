import { relative } from 'node:path';
import type { JsonObject } from '@hermes/providers';
import type { ToolContext, ToolOutcome } from '@hermes/tool-registry';
import { isInside } from '../files/path-rules.ts';
import { unifiedDiff } from '../files/unified-diff.ts';
import { counted, firstLine, result } from '../result/result.ts';
import type { StrategyName } from './replace/strategy.ts';
import { liveDirectory } from '../session-directory/session-directory.ts';

/** The model wrote the change and needs its diff as a check only; the screen gets all of it. */
const MAX_DIFF_CHARS = 20_000;

/** One file before and after; undefined as a text means that it is not there, null that its content is not shown. */
export interface FileEdit {
  readonly path: string;
  readonly before: string | undefined | null;
  readonly after: string | undefined | null;
}

/** How the edit found its places, and what else the model should know. */
export interface EditFacts {
  readonly strategy: StrategyName | undefined;
  readonly exact: boolean;
  readonly details: JsonObject;
  readonly warnings: readonly string[];
}

/** The result of an edit that was written. */
export async function editResult(ctx: ToolContext, edits: readonly FileEdit[], facts: EditFacts): Promise<ToolOutcome> {
  const diffs: string[] = [];
  for (const { path, before, after } of edits) {
    if (before === null || after === null) continue;
    diffs.push((await unifiedDiff(shownPath(ctx, path), before, after)) ?? '');
  }
  const diff = diffs.join('');
  const content: JsonObject = {
    success: true,
    diff: forModel(diff),
    files_modified: namesOf(edits, (edit) => edit.before !== undefined && edit.after !== undefined),
    files_created: namesOf(edits, (edit) => edit.before === undefined),
    files_deleted: namesOf(edits, (edit) => edit.after === undefined),
    ...(facts.strategy !== undefined && { strategy: facts.strategy }),
    exact: facts.exact,
    ...facts.details,
    ...(facts.warnings.length > 0 && { _warning: facts.warnings.join(' ') }),
  };
  return result(content, { effect: 'done', preview: previewOf(ctx, edits, diffs), ...(diff !== '' && { diff }) });
}

function namesOf(edits: readonly FileEdit[], test: (edit: FileEdit) => boolean): string[] {
  return edits.filter(test).map(({ path }) => path);
}

function forModel(diff: string): string {
  if (diff.length <= MAX_DIFF_CHARS) return diff;
  const end = diff.lastIndexOf('\n', MAX_DIFF_CHARS);
  return `${diff.slice(0, end)}\n… (${diff.length - end} more characters of the diff are left out)`;
}

export function shownPath(ctx: ToolContext, path: string): string {
  return isInside(liveDirectory(ctx), path) ? relative(liveDirectory(ctx), path) : path;
}

function previewOf(ctx: ToolContext, edits: readonly FileEdit[], diffs: readonly string[]): string {
  const rows = diffs.flatMap((diff) => diff.split('\n').slice(2));
  const added = rows.filter((row) => row.startsWith('+')).length;
  const removed = rows.filter((row) => row.startsWith('-')).length;
  const [only] = edits;
  const where = only && edits.length === 1 ? shownPath(ctx, only.path) : counted(edits.length, 'file');
  return firstLine(rows.length === 0 ? where : `+${added} −${removed} ${where}`);
}
