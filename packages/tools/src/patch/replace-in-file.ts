import { access, constants } from 'node:fs/promises';
import type { JsonObject } from '@hermes/providers';
import { fileError } from '@hermes/runtime';
import type { ToolContext, ToolOutcome } from '@hermes/tool-registry';
import { flagArgument, textArgument } from '../arguments/arguments.ts';
import { isRefusal } from '../files/open-file.ts';
import { refuseWrite, resolvePath, type ResolvedPath } from '../files/path-rules.ts';
import { changedSinceRead, noteWrite } from '../files/read-tracker.ts';
import { readTextFile, type TextFile, writeTextFile } from '../files/text-file.ts';
import { refused, result } from '../result/result.ts';
import { editResult, shownPath } from './edit-result.ts';
import { clearFailures, countFailure } from './failure-count.ts';
import { MAX_EDITED_BYTES } from './limits.ts';
import { type LineRange, type Replaced, type ReplaceRefusal, replaceText } from './replace/replace-text.ts';

const MAX_RANGES = 20;

/** Replace mode of `patch`: one text for another in one file. */
export async function replaceInFile(args: JsonObject, ctx: ToolContext): Promise<ToolOutcome> {
  const named = textArgument(args, 'path');
  const oldText = textArgument(args, 'old_string');
  const newText = textArgument(args, 'new_string');
  if (named === undefined || oldText === undefined || newText === undefined) {
    return refused(
      'Replace mode needs path, old_string and new_string as texts. To delete the text, send new_string "".',
    );
  }
  const place = await resolvePath(ctx, named);
  if ('error' in place) return refused(place.error);
  const denied = refuseWrite(ctx, place.real);
  if (denied !== undefined) return refused(denied);
  const file = await readTextFile(place.real, MAX_EDITED_BYTES);
  if (isRefusal(file)) return refused(file.error, file.similar ? { similar_files: [...file.similar] } : {});

  const replaced = replaceText(file.text, { oldText, newText, replaceAll: flagArgument(args, 'replace_all') });
  if (replaced.kind === 'refused') return miss(ctx, place, replaced);
  if (replaced.kind === 'already_applied') return alreadyApplied(ctx, place, replaced.line);
  return await write(ctx, place, file, replaced);
}

function miss(ctx: ToolContext, place: ResolvedPath, refusal: ReplaceRefusal): ToolOutcome {
  const hint = countFailure(ctx, place.real);
  return refused(refusal.message, {
    path: place.path,
    reason: refusal.reason,
    ...(refusal.places && { places: [...refusal.places] }),
    ...(refusal.closest && { closest: { line: refusal.closest.line, diff: refusal.closest.diff } }),
    ...(hint !== undefined && { _hint: hint }),
  });
}

function alreadyApplied(ctx: ToolContext, place: ResolvedPath, line: number): ToolOutcome {
  clearFailures(ctx, place.real);
  const content = {
    success: true,
    already_applied: true,
    diff: '',
    files_modified: [],
    files_created: [],
    files_deleted: [],
    _hint: `${place.path} holds the new text already, at line ${line}. Nothing was written.`,
  };
  return result(content, { effect: 'none', preview: `already applied ${shownPath(ctx, place.path)}` });
}

async function write(ctx: ToolContext, place: ResolvedPath, file: TextFile, edit: Replaced): Promise<ToolOutcome> {
  const warnings: string[] = [];
  if (!edit.exact) {
    if ((await changedSinceRead(ctx, place.real)) === 'changed') return refuseStale(ctx, place);
    warnings.push(`old_string was not found exactly, but by ${edit.strategy}. Check the diff.`);
  }
  ctx.signal.throwIfAborted();
  try {
    // A rename would replace a file that its owner made read-only.
    await access(place.real, constants.W_OK);
    const { stamp } = await writeTextFile(place.real, edit.text, file.encoding);
    noteWrite(ctx, place.real, stamp);
  } catch (error) {
    const { message, hints } = fileError('write', place.path, error);
    return refused([message, ...hints].join(' '));
  }
  clearFailures(ctx, place.real);
  return await editResult(ctx, [{ path: place.path, before: file.text, after: edit.text }], {
    strategy: edit.strategy,
    exact: edit.exact,
    details: { lines: edit.ranges.slice(0, MAX_RANGES).map(showRange), replacements: edit.ranges.length },
    warnings,
  });
}

function refuseStale(ctx: ToolContext, place: ResolvedPath): ToolOutcome {
  const hint = countFailure(ctx, place.real);
  return refused(
    'old_string is not in the file exactly, and the file changed on disk after it was last read. Read it again with read_file, then edit.',
    { path: place.path, reason: 'stale', ...(hint !== undefined && { _hint: hint }) },
  );
}

function showRange({ first, last }: LineRange): string {
  return first === last ? `${first}` : `${first}-${last}`;
}
