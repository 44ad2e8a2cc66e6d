import { access, constants, lstat } from 'node:fs/promises';
import type { ToolContext, ToolOutcome } from '@hermes/tool-registry';
import { isRefusal } from '../files/open-file.ts';
import { pathRules, resolvePath } from '../files/path-rules.ts';
import { changedSinceRead, noteWrite } from '../files/read-tracker.ts';
import type { Encoding } from '../files/text-encoding.ts';
import { readTextFile } from '../files/text-file.ts';
import { counted, refused, result } from '../result/result.ts';
import { editResult, type FileEdit } from './edit-result.ts';
import { clearFailures, countFailure } from './failure-count.ts';
import { MAX_EDITED_BYTES } from './limits.ts';
import { type AppliedPatch, applyOperations, type FileChange, type InitialFile } from './v4a/apply-operations.ts';
import { parsePatch } from './v4a/parse-patch.ts';
import { type PatchOperation, pathsOf } from './v4a/patch-operation.ts';
import { writeChanges } from './write/write-changes.ts';

/** The files a patch names, by real path, before anything is written. */
interface Sources {
  readonly operations: readonly PatchOperation[];
  readonly files: ReadonlyMap<string, InitialFile>;
  readonly encodings: ReadonlyMap<string, Encoding>;
  readonly problems: readonly string[];
}

/** Patch mode of `patch`: a V4A patch over any number of files, all or nothing. */
export async function patchFiles(patch: string, ctx: ToolContext): Promise<ToolOutcome> {
  const parsed = parsePatch(patch);
  if (parsed.problems.length > 0) return refuseAll(parsed.problems);
  const sources = await readSources(ctx, parsed.operations);
  if (sources.problems.length > 0) return refuseAll(sources.problems);
  const applied = applyOperations(sources.operations, sources.files);
  const problems = [...applied.problems, ...(await staleProblems(ctx, applied))];
  if (problems.length > 0) return refuseAll(problems, missHint(ctx, sources.operations));
  if (applied.changes.length === 0) return nothingToDo();
  ctx.signal.throwIfAborted();
  const written = await writeChanges(applied.changes, sources.encodings);
  if (written.kind === 'failed') return refuseWriting(written.error, written.lost);
  for (const [path, stamp] of written.stamps) noteWrite(ctx, path, stamp);
  for (const operation of sources.operations) clearFailures(ctx, operation.path);
  return await editResult(ctx, editsOf(applied.changes, sources.files), {
    strategy: applied.strategy,
    exact: applied.exact,
    details: {},
    warnings: applied.exact ? [] : [`Not every hunk was found exactly (${applied.strategy}). Check the diff.`],
  });
}

function refuseAll(problems: readonly string[], hint?: string): ToolOutcome {
  const listed = problems.map((problem) => `- ${problem}`).join('\n');
  const error = `Nothing was written: the patch has ${counted(problems.length, 'problem')}.\n${listed}`;
  return refused(error, hint === undefined ? {} : { _hint: hint });
}

function missHint(ctx: ToolContext, operations: readonly PatchOperation[]): string | undefined {
  const paths = new Set(operations.filter(({ kind }) => kind === 'update').map(({ path }) => path));
  return [...paths].map((path) => countFailure(ctx, path)).find((hint) => hint !== undefined);
}

function nothingToDo(): ToolOutcome {
  const content = {
    success: true,
    already_applied: true,
    diff: '',
    files_modified: [],
    files_created: [],
    files_deleted: [],
    _hint: 'The files hold what the patch makes of them already. Nothing was written.',
  };
  return result(content, { effect: 'none', preview: 'already applied' });
}

function refuseWriting(error: string, lost: readonly string[]): ToolOutcome {
  if (lost.length === 0) return refused(`${error} All files are as they were before the patch.`);
  const message = `${error} These files could not be brought back to what they were: ${lost.join(', ')}. Check them.`;
  return result({ error: message }, { effect: 'maybe', preview: 'patch failed halfway' });
}

/** Resolves every path, checks that it may be written, and reads it. */
async function readSources(ctx: ToolContext, parsed: readonly PatchOperation[]): Promise<Sources> {
  const rules = pathRules(ctx);
  const problems: string[] = [];
  const files = new Map<string, InitialFile>();
  const encodings = new Map<string, Encoding>();
  const realPaths = new Map<string, string>();
  for (const named of new Set(parsed.flatMap(pathsOf))) {
    const place = await resolvePath(ctx, named);
    const problem =
      'error' in place ? place.error : (rules.refuseWrite(place.real) ?? (await refuseAccess(place.real)));
    if ('error' in place || problem !== undefined) {
      problems.push(problem ?? named);
      continue;
    }
    realPaths.set(named, place.real);
    const file = await readTextFile(place.real, MAX_EDITED_BYTES);
    files.set(place.real, initialFile(file));
    if (!isRefusal(file)) encodings.set(place.real, file.encoding);
    if (isRefusal(file) && file.kind !== 'missing' && file.kind !== 'binary' && file.kind !== 'not_utf8')
      problems.push(file.error);
    if (await leavesThroughLink(place.path, named, parsed)) {
      problems.push(`${named} is a symbolic link. Move or delete it with a terminal command.`);
    }
  }
  const operations = parsed.map((operation) => withRealPaths(operation, realPaths));
  return { operations, files, encodings, problems };
}

function initialFile(file: Awaited<ReturnType<typeof readTextFile>>): InitialFile {
  if (!isRefusal(file)) return { kind: 'text', text: file.text };
  return file.kind === 'missing' ? { kind: 'missing' } : { kind: 'opaque', reason: file.error };
}

/** A rename would replace a file that its owner made read-only. */
async function refuseAccess(real: string): Promise<string | undefined> {
  if ((await lstat(real).catch(() => undefined)) === undefined) return undefined;
  return await access(real, constants.W_OK).then(
    () => undefined,
    () => `${real} may not be written: permission denied. Ask the user to change its permissions.`,
  );
}

async function leavesThroughLink(path: string, named: string, operations: readonly PatchOperation[]): Promise<boolean> {
  const leaves = operations.some(
    (operation) => operation.path === named && (operation.kind === 'delete' || 'moveTo' in operation),
  );
  return leaves && ((await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false);
}

function withRealPaths(operation: PatchOperation, real: ReadonlyMap<string, string>): PatchOperation {
  const path = real.get(operation.path) ?? operation.path;
  if (operation.kind === 'add' || operation.kind === 'delete') return { ...operation, path };
  if (operation.moveTo === undefined) return { ...operation, path };
  return { ...operation, path, moveTo: real.get(operation.moveTo) ?? operation.moveTo };
}

async function staleProblems(ctx: ToolContext, { inexactPaths }: AppliedPatch): Promise<string[]> {
  const problems: string[] = [];
  for (const path of inexactPaths) {
    if ((await changedSinceRead(ctx, path)) === 'changed') {
      problems.push(
        `${path}: a hunk is not in the file exactly, and the file changed on disk after it was last read. Read it again.`,
      );
    }
  }
  return problems;
}

function editsOf(changes: readonly FileChange[], files: ReadonlyMap<string, InitialFile>): FileEdit[] {
  const shown = (path: string): string | undefined | null => {
    const file = files.get(path);
    if (file?.kind === 'text') return file.text;
    return file?.kind === 'opaque' ? null : undefined;
  };
  return changes.map((change) => {
    const before = shown(change.path);
    if (change.kind === 'delete') return { path: change.path, before, after: undefined };
    return { path: change.path, before, after: change.kind === 'write' ? change.text : (shown(change.origin) ?? null) };
  });
}
