import type { Hunk, PatchOperation } from './patch-operation.ts';

export interface ParsedPatch {
  readonly operations: readonly PatchOperation[];
  /** Everything that is wrong with the form, with line numbers of the patch. */
  readonly problems: readonly string[];
}

/** A file header of the patch with the lines below it. */
interface Section {
  readonly kind: 'update' | 'add' | 'delete' | 'move';
  readonly path: string;
  moveTo?: string;
  readonly lines: NumberedLine[];
}

interface NumberedLine {
  readonly text: string;
  readonly number: number;
}

const HEADERS = [
  { kind: 'update', pattern: /^\*\*\* Update File:(.*)$/ },
  { kind: 'add', pattern: /^\*\*\* Add File:(.*)$/ },
  { kind: 'delete', pattern: /^\*\*\* Delete File:(.*)$/ },
  { kind: 'move', pattern: /^\*\*\* Move File:(.*)$/ },
] as const;

const MOVE_TO = /^\*\*\* Move to:(.*)$/;
const SKIPPED = /^(?:\*\*\* End of File|\\ No newline at end of file)\s*$/i;

/**
 * Reads a V4A patch (tools spec 3.3): Begin and End markers may be missing, markers count at column 0 only, CRLF is tolerated.
 *
 * @example
 * parsePatch('*** Update File: a.txt\n@@\n-old\n+new');
 * // operations: [{ kind: 'update', path: 'a.txt', hunks: [{ hints: [], before: ['old'], after: ['new'], … }] }]
 */
export function parsePatch(patch: string): ParsedPatch {
  const problems: string[] = [];
  const sections = readSections(patchBody(patch), problems);
  if (sections.length === 0 && problems.length === 0) {
    problems.push('The patch has no operation. Begin with a line such as "*** Update File: path".');
  }
  return { operations: sections.flatMap((section) => toOperation(section, problems)), problems };
}

function patchBody(patch: string): NumberedLine[] {
  const lines = patch.split('\n').map((text, index) => ({ text: text.replace(/\r$/, ''), number: index + 1 }));
  const begin = lines.findIndex(({ text }) => /^\*\*\* Begin Patch\s*$/.test(text));
  const end = lines.findIndex(({ text }) => /^\*\*\* End Patch\s*$/.test(text));
  return lines.slice(begin + 1, end < 0 ? undefined : end);
}

function readSections(lines: readonly NumberedLine[], problems: string[]): Section[] {
  const sections: Section[] = [];
  for (const line of lines) {
    const header = readHeader(line, problems);
    const current = sections.at(-1);
    const target = MOVE_TO.exec(line.text)?.[1]?.trim();
    if (header) sections.push(header);
    else if (SKIPPED.test(line.text)) continue;
    else if (target !== undefined && current?.kind === 'update') current.moveTo = target;
    else if (current) current.lines.push(line);
    else if (line.text.trim() !== '') {
      problems.push(`line ${line.number}: "${line.text.slice(0, 60)}" stands before the first "*** … File:" line.`);
    }
  }
  return sections;
}

function readHeader({ text, number }: NumberedLine, problems: string[]): Section | undefined {
  for (const { kind, pattern } of HEADERS) {
    const named = pattern.exec(text)?.[1]?.trim();
    if (named === undefined) continue;
    const [path = '', moveTo] = kind === 'move' ? named.split(/\s+->\s+/) : [named];
    if (path === '') problems.push(`line ${number}: the path is missing.`);
    if (kind === 'move' && !moveTo) problems.push(`line ${number}: write "*** Move File: from -> to".`);
    return { kind, path, lines: [], ...(moveTo !== undefined && { moveTo }) };
  }
  return undefined;
}

function toOperation(section: Section, problems: string[]): PatchOperation[] {
  const { kind, path, moveTo } = section;
  if (kind === 'add') return [{ kind, path, content: addedContent(section, problems) }];
  if (kind === 'update') return readUpdate(section, problems);
  const extra = section.lines.find(({ text }) => text.trim() !== '');
  if (extra) problems.push(`line ${extra.number}: nothing may follow the ${kind} of ${path}.`);
  return kind === 'delete' ? [{ kind, path }] : [{ kind, path, moveTo: moveTo ?? '' }];
}

function addedContent({ path, lines }: Section, problems: string[]): string {
  const written = withoutBareEnd(lines);
  const wrong = written.find(({ text }) => text !== '' && !text.startsWith('+'));
  if (wrong) problems.push(`line ${wrong.number}: every line of the new file ${path} begins with "+".`);
  return written.map(({ text }) => `${text.slice(1)}\n`).join('');
}

function readUpdate({ path, moveTo, lines }: Section, problems: string[]): PatchOperation[] {
  const hunks = splitHunks(lines).flatMap(({ hints, body, number }) => {
    const hunk = toHunk(hints, body, number);
    if (hunk.before.length === hunk.after.length && hunk.before.every((line, index) => line === hunk.after[index])) {
      problems.push(`line ${number}: the hunk of ${path} changes nothing; mark lines with "-" and "+".`);
      return [];
    }
    return [hunk];
  });
  if (hunks.length === 0 && moveTo !== undefined && lines.every(({ text }) => text.trim() === '')) {
    return [{ kind: 'move', path, moveTo }];
  }
  if (hunks.length === 0) problems.push(`The update of ${path} has no hunk. Add "@@" and the changed lines.`);
  return [{ kind: 'update', path, hunks, ...(moveTo !== undefined && { moveTo }) }];
}

interface RawHunk {
  readonly hints: string[];
  readonly body: NumberedLine[];
  readonly number: number;
}

function splitHunks(lines: readonly NumberedLine[]): RawHunk[] {
  const hunks: RawHunk[] = [];
  for (const line of lines) {
    const current = hunks.at(-1);
    if (line.text.startsWith('@@')) {
      const hint = hintOf(line.text);
      if (current && current.body.length === 0) current.hints.push(...hint);
      else hunks.push({ hints: hint, body: [], number: line.number });
    } else if (current) current.body.push(line);
    else if (line.text !== '') hunks.push({ hints: [], body: [line], number: line.number });
  }
  return hunks;
}

/** The text behind `@@`; line numbers of a unified diff say nothing reliable and are dropped. */
function hintOf(line: string): string[] {
  const hint = line
    .replace(/^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)?/, '')
    .replace(/@@\s*$/, '')
    .trim();
  return hint === '' ? [] : [hint];
}

function toHunk(hints: readonly string[], lines: readonly NumberedLine[], patchLine: number): Hunk {
  const before: string[] = [];
  const after: string[] = [];
  for (const { text } of withoutBareEnd(lines)) {
    const mark = text.charAt(0);
    const content = mark === ' ' || mark === '-' || mark === '+' ? text.slice(1) : text;
    if (mark !== '+') before.push(content);
    if (mark !== '-') after.push(content);
  }
  return { hints, before, after, patchLine };
}

/** Wholly empty lines before the next marker only space the patch out. */
function withoutBareEnd(lines: readonly NumberedLine[]): readonly NumberedLine[] {
  return lines.slice(0, lines.findLastIndex(({ text }) => text !== '') + 1);
}
