import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { JsonObject } from '@hermes/providers';
import type { ToolContext } from '@hermes/tool-registry';
import { countArgument, textArgument } from '../arguments/arguments.ts';
import { notRegular } from '../files/open-file.ts';
import { isInside, pathRules, type ResolvedPath, resolvePath } from '../files/path-rules.ts';
import { globTest } from './glob-test.ts';
import { liveDirectory } from '../session-directory/session-directory.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;
const MAX_CONTEXT = 20;

/** Names of the two targets, with the ones models know from other tools (tools spec 3.1). */
const TARGETS: Readonly<Record<string, 'content' | 'files'>> = {
  content: 'content',
  grep: 'content',
  files: 'files',
  find: 'files',
};

const OUTPUT_MODES = ['content', 'files_only', 'count'] as const;

/** One search, checked. */
export interface SearchRequest {
  readonly pattern: string;
  readonly target: 'content' | 'files';
  readonly outputMode: (typeof OUTPUT_MODES)[number];
  readonly fileGlob: string | undefined;
  /** Whether a name that was found also fits `fileGlob`; ripgrep takes one glob for names, which is `pattern`. */
  readonly fits: (hit: string) => boolean;
  readonly limit: number;
  readonly offset: number;
  readonly context: number;
  /** Where ripgrep runs: the folder searched, or the one of the file searched. A real path. */
  readonly directory: string;
  /** What it searches, relative to `directory`. */
  readonly operand: string;
  /** The path of a hit as the model should name it, from the path relative to `directory`. */
  readonly shown: (hit: string) => string;
  /** Whether a hit is in a file that may not be read. */
  readonly isSecret: (hit: string) => boolean;
}

/** Reads the arguments of a call; answers `{ error }` for what cannot be searched. */
export async function searchRequest(args: JsonObject, ctx: ToolContext): Promise<SearchRequest | { error: string }> {
  const pattern = textArgument(args, 'pattern') ?? '';
  const fileGlob = textArgument(args, 'file_glob') || undefined;
  const target = TARGETS[textArgument(args, 'target') ?? 'content'];
  const outputMode = OUTPUT_MODES.find((mode) => mode === (textArgument(args, 'output_mode') ?? 'content'));
  if (pattern === '') return { error: 'pattern is empty. Give a regular expression, or a name for target "files".' };
  if (pattern.includes('\0') || fileGlob?.includes('\0'))
    return { error: 'pattern and file_glob cannot contain a NUL character.' };
  if (target === undefined) return { error: 'target is "content" (search in files) or "files" (search for names).' };
  if (outputMode === undefined) return { error: `output_mode is one of ${OUTPUT_MODES.join(', ')}.` };
  const fits = target === 'files' && fileGlob !== undefined ? globTest(fileGlob) : () => true;
  if (fits === undefined) return { error: `file_glob ${fileGlob} is not valid. Use * ? [a-z] {a,b}.` };
  const place = await resolvePath(ctx, textArgument(args, 'path') || '.');
  if ('error' in place) return place;
  const start = await startingPoint(place, ctx);
  if ('error' in start) return start;
  return {
    pattern,
    target,
    outputMode,
    fileGlob,
    fits,
    limit: countArgument(args, 'limit', DEFAULT_LIMIT, 1, MAX_LIMIT),
    offset: countArgument(args, 'offset', 0, 0, Number.MAX_SAFE_INTEGER),
    context: countArgument(args, 'context', 0, 0, MAX_CONTEXT),
    ...start,
  };
}

type StartingPoint = Pick<SearchRequest, 'directory' | 'operand' | 'shown' | 'isSecret'>;

async function startingPoint(place: ResolvedPath, ctx: ToolContext): Promise<StartingPoint | { error: string }> {
  const { refuseRead } = pathRules(ctx);
  const denied = refuseRead(place.real);
  if (denied !== undefined) return { error: denied };
  const status = await stat(place.real).catch(() => undefined);
  if (!status) return { error: `${place.path} does not exist. Search in a folder above it.` };
  const isFolder = status.isDirectory();
  const refusal = isFolder ? undefined : notRegular(place.path, status);
  if (refusal) return { error: refusal.error };
  const directory = isFolder ? place.real : dirname(place.real);
  const named = isFolder ? place.path : dirname(place.path);
  const verdicts = new Map<string, boolean>();
  return {
    directory,
    operand: isFolder ? './' : `./${basename(place.real)}`,
    shown: (hit) => {
      const path = join(named, hit);
      return isInside(liveDirectory(ctx), path) && isAbsolute(path) ? relative(liveDirectory(ctx), path) : path;
    },
    isSecret: (hit) => {
      const known = verdicts.get(hit);
      if (known !== undefined) return known;
      const verdict = refuseRead(join(directory, hit)) !== undefined;
      verdicts.set(hit, verdict);
      return verdict;
    },
  };
}
