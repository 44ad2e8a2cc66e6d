import type { JsonObject } from '@hermes/providers';
import type { ToolDefinition } from '@hermes/tool-registry';
import { textArgument } from '../arguments/arguments.ts';
import { counted, firstLine, refused } from '../result/result.ts';
import { patchFiles } from './patch-files.ts';
import { replaceInFile } from './replace-in-file.ts';
import { parsePatch } from './v4a/parse-patch.ts';
import { pathsOf } from './v4a/patch-operation.ts';

/** Edits files in place: one text for another, or a V4A patch (tools spec 3.3). */
export const patch: ToolDefinition = {
  name: 'patch',
  toolset: 'file',
  description:
    'Edit files. mode "replace": change old_string, which must be unique in path, to new_string. mode "patch": a V4A patch over several files, all or nothing: "*** Update File: p" with "@@ hint" and lines marked " ", "-", "+"; "*** Add File: p" with "+" lines; "*** Delete File: p"; "*** Move File: a -> b".',
  parameters: {
    type: 'object',
    properties: {
      mode: { type: 'string', enum: ['replace', 'patch'], default: 'replace' },
      path: { type: 'string', description: 'replace: the file.' },
      old_string: { type: 'string', description: 'replace: the text as it stands in the file, without line numbers.' },
      // With "null" allowed here, a null reaches the handler and is refused, instead of being turned into a deletion.
      new_string: { type: ['string', 'null'], description: 'replace: what comes in its place; "" deletes.' },
      replace_all: { type: 'boolean', default: false, description: 'replace: change every place.' },
      patch: { type: 'string', description: 'patch: the V4A text.' },
    },
  },
  parallel: 'pathWrite',
  effect: 'local',
  handler: async (args, ctx) => {
    const text = textArgument(args, 'patch');
    if (!isPatchMode(args)) return await replaceInFile(args, ctx);
    if (text === undefined) return refused('Patch mode needs the V4A text in "patch".');
    return await patchFiles(text, ctx);
  },
  summarize: (args) => firstLine(isPatchMode(args) ? summarizePatch(args) : (textArgument(args, 'path') ?? '')),
};

/** A call with nothing but a patch means patch mode, whatever its mode says. */
function isPatchMode(args: JsonObject): boolean {
  return args['mode'] === 'patch' || (args['patch'] !== undefined && args['old_string'] === undefined);
}

function summarizePatch(args: JsonObject): string {
  const paths = [...new Set(parsePatch(textArgument(args, 'patch') ?? '').operations.flatMap(pathsOf))];
  return paths.length > 3 ? `${paths[0] ?? ''} and ${counted(paths.length - 1, 'other file')}` : paths.join(', ');
}
