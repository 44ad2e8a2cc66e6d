import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { dirname, isAbsolute, relative } from 'node:path';
import type { JsonObject } from '@hermes/providers';
import { abortReasonOf, fileError } from '@hermes/runtime';
import type { ToolContext, ToolDefinition, ToolOutcome } from '@hermes/tool-registry';
import { textArgument } from '../arguments/arguments.ts';
import { type FileRefusal, isRefusal } from '../files/open-file.ts';
import { isInside, refuseWrite, type ResolvedPath, resolvePath } from '../files/path-rules.ts';
import { changedSinceRead, noteWrite } from '../files/read-tracker.ts';
import { withLineEnd } from '../files/text-encoding.ts';
import { readTextFile, type TextFile, writeTextFile } from '../files/text-file.ts';
import { unifiedDiff } from '../files/unified-diff.ts';
import { counted, firstLine, refused, result } from '../result/result.ts';
import { liveDirectory } from '../session-directory/session-directory.ts';

/** An existing file up to this size, in bytes, is read for its encoding and line ends; a larger one is replaced as it comes. */
const MAX_READ_BYTES = 32 * 1024 * 1024;

/** Writes a whole file. */
export const writeFile: ToolDefinition = {
  name: 'write_file',
  toolset: 'file',
  description:
    'Write a whole file, replacing what it holds; missing folders are created. An existing file keeps its mode, encoding and line ends. To change a part of a file use patch.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Absolute, relative to the working directory, or with ~.' },
      // With "null" allowed here, a null reaches the handler and is refused, instead of being turned into an empty text.
      content: { type: ['string', 'null'], description: 'The complete new text of the file. Never null.' },
    },
    required: ['path', 'content'],
  },
  parallel: 'pathWrite',
  effect: 'local',
  handler: runWriteFile,
  summarize: (args) => firstLine(textArgument(args, 'path') ?? ''),
};

async function runWriteFile(args: JsonObject, ctx: ToolContext): Promise<ToolOutcome> {
  const content = args['content'];
  if (typeof content !== 'string')
    return refused(
      'Nothing was written: content is missing or not a text. Send the whole text of the file as a string.',
    );
  const named = textArgument(args, 'path') ?? '';
  const place = await resolvePath(ctx, named);
  if ('error' in place) return refused(place.error);
  const denied = refuseWrite(ctx, place.real);
  if (denied !== undefined) return refused(denied);
  const existing = await readTextFile(place.real, MAX_READ_BYTES);
  if (isRefusal(existing) && !isReplaceable(existing)) return refused(`Nothing was written: ${existing.error}`);
  const warnings = await warningsFor(ctx, named, place);
  if (ctx.signal.aborted) return refused(`Nothing was written: ${abortReasonOf(ctx.signal).message}.`);
  return await write(ctx, place, content, existing, warnings);
}

/** What is missing, or text of another kind, may be replaced by a text; a directory, a pipe or an unreadable file may not. */
function isReplaceable({ kind }: FileRefusal): boolean {
  return kind === 'missing' || kind === 'binary' || kind === 'not_utf8' || kind === 'too_big';
}

async function warningsFor(ctx: ToolContext, named: string, place: ResolvedPath): Promise<string[]> {
  const warnings: string[] = [];
  if ((await changedSinceRead(ctx, place.real)) === 'changed')
    warnings.push(
      'The file was changed by someone else after you last read it; what they wrote is now replaced. Check that nothing is lost.',
    );
  if (!isAbsolute(named) && !named.startsWith('~') && !isInside(liveDirectory(ctx), place.path))
    warnings.push(`The relative path leads out of the working directory: ${place.path}.`);
  return warnings;
}

async function write(
  ctx: ToolContext,
  place: ResolvedPath,
  content: string,
  existing: TextFile | FileRefusal,
  warnings: readonly string[],
): Promise<ToolOutcome> {
  const before = isRefusal(existing) ? undefined : existing;
  const created = isRefusal(existing) && existing.kind === 'missing';
  const text = before ? withLineEnd(content, before.eol) : content;
  let written: Awaited<ReturnType<typeof writeTextFile>>;
  try {
    // A rename would replace a file that its owner made read-only.
    if (!created) await access(place.real, constants.W_OK);
    await mkdir(dirname(place.real), { recursive: true });
    written = await writeTextFile(place.real, text, before?.encoding ?? 'utf8');
  } catch (error) {
    const { message, hints } = fileError('write', place.path, error);
    return refused([message, ...hints].join(' '));
  }
  noteWrite(ctx, place.real, written.stamp);
  const shown = isInside(liveDirectory(ctx), place.path) ? relative(liveDirectory(ctx), place.path) : place.path;
  const diff = before || created ? await unifiedDiff(shown, before?.text, text) : undefined;
  const facts = { success: true, path: place.path, bytes_written: written.bytes, created };
  return result(warnings.length > 0 ? { ...facts, _warning: warnings.join(' ') } : facts, {
    effect: 'done',
    preview: `${created ? 'created' : 'replaced'} · ${counted(written.bytes, 'byte')}`,
    ...(diff === undefined ? {} : { diff }),
  });
}
