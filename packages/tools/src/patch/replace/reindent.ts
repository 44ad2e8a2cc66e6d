/** The indentation of one line as it was sent and as the file has it. */
export interface IndentPair {
  readonly sent: string;
  readonly file: string;
}

/** The file's indentation for an indentation that was sent; undefined when no rule of the region covers it. */
export type Reindent = (sent: string) => string | undefined;

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/**
 * Learns from the lines of a hit how the file indents: the same, shifted by a fixed piece, or in another unit (tabs for
 * four spaces). A first line that lost its indentation on the way is left out (tools spec 3.3, re-indent).
 */
export function learnIndentation(pairs: readonly IndentPair[]): Reindent {
  const [first, ...rest] = pairs;
  const shift = commonShift(pairs);
  if (shift) return shift;
  if (first?.sent === '' && rest.length > 0) {
    const shiftOfRest = commonShift(rest);
    if (shiftOfRest) return shiftOfRest;
  }
  const seen = new Map<string, string | undefined>();
  for (const { sent, file } of pairs) seen.set(sent, seen.has(sent) && seen.get(sent) !== file ? undefined : file);
  const unit = commonUnit(pairs);
  return (sent) => (seen.has(sent) ? seen.get(sent) : unit?.(sent));
}

function commonShift(pairs: readonly IndentPair[]): Reindent | undefined {
  const [first] = pairs;
  if (!first || pairs.every(({ sent, file }) => sent === file)) return (sent) => sent;
  const { sent, file } = first;
  if (file.endsWith(sent)) {
    const added = file.slice(0, file.length - sent.length);
    if (pairs.every((pair) => pair.file === added + pair.sent)) return (indent) => added + indent;
  }
  if (sent.endsWith(file)) {
    const removed = sent.slice(0, sent.length - file.length);
    if (pairs.every((pair) => pair.sent === removed + pair.file)) {
      return (indent) => (indent.startsWith(removed) ? indent.slice(removed.length) : undefined);
    }
  }
  return undefined;
}

/** Both sides indent with one character each, in a fixed proportion. */
function commonUnit(pairs: readonly IndentPair[]): Reindent | undefined {
  const sample = pairs.find(({ sent, file }) => sent !== '' && file !== '');
  if (!sample) return undefined;
  const convert: Reindent = (indent) => {
    const count = (indent.length * sample.file.length) / sample.sent.length;
    if (indent !== sample.sent.charAt(0).repeat(indent.length) || !Number.isInteger(count)) return undefined;
    return sample.file.charAt(0).repeat(count);
  };
  return pairs.every(({ sent, file }) => convert(sent) === file) ? convert : undefined;
}
