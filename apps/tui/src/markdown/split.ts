/**
 * A closed stretch of markdown that no later text can change: it is laid out once and cached by identity.
 * Code arrives in several parts, so that a long fence does not stay open until its end.
 */
export type MarkdownPart =
  | { readonly kind: 'text'; readonly source: string }
  | { readonly kind: 'code'; readonly language: string; readonly body: string; readonly first: boolean };

/** Markdown that is still arriving: what is closed, and the open end that may yet mean something else. */
export interface OpenMarkdown {
  readonly parts: readonly MarkdownPart[];
  readonly tail: string;
  /** Set while the tail lies inside a fence whose opening line has been read. */
  readonly fence: Fence | null;
}

interface Fence {
  readonly marker: string;
  readonly language: string;
  /** True until a part with the label has been emitted. */
  readonly first: boolean;
}

/** Lines of one code part (a fence commits in pieces of this size). */
const CODE_PART_LINES = 40;

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/;
const HEADING = /^ {0,3}#{1,6}(\s|$)/;
const LIST_ITEM = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])(\s|$)/;

export const EMPTY_MARKDOWN: OpenMarkdown = { parts: [], tail: '', fence: null };

/**
 * Adds text to the end. A block closes at a blank line, at the end of its fence or, for a list, at the first line after a
 * blank one that does not belong to it (CLI spec 8.3). Only whole lines decide, so the outcome does not depend on how
 * the text was cut into pieces.
 *
 * @example
 * appendMarkdown(EMPTY_MARKDOWN, 'One.\n\nTw'); // parts: ['One.\n'], tail: 'Tw'
 */
export function appendMarkdown(markdown: OpenMarkdown, text: string): OpenMarkdown {
  if (!text.includes('\n')) return { ...markdown, tail: markdown.tail + text };
  const splitter = new Splitter(markdown.fence);
  const whole = markdown.tail + text;
  const end = whole.lastIndexOf('\n') + 1;
  for (const line of whole.slice(0, end).split('\n').slice(0, -1)) splitter.line(line);
  const { parts, pending, fence } = splitter.result();
  return {
    parts: parts.length === 0 ? markdown.parts : [...markdown.parts, ...parts],
    tail: pending + whole.slice(end),
    fence,
  };
}

/** Closes what is open: the text has ended. */
export function finishMarkdown(markdown: OpenMarkdown): readonly MarkdownPart[] {
  if (markdown.tail === '' && markdown.fence === null) return markdown.parts;
  const closed = markdown.tail === '' || markdown.tail.endsWith('\n') ? markdown : appendMarkdown(markdown, '\n');
  const rest = openEnd(closed);
  return rest === null ? closed.parts : [...closed.parts, rest];
}

/** The open end as a part of its own, to be shown while more is coming; null when nothing is open. */
export function openEnd({ tail, fence }: OpenMarkdown): MarkdownPart | null {
  if (fence) {
    if (tail === '' && !fence.first) return null;
    return { kind: 'code', language: fence.language, body: tail.replace(/\n$/, ''), first: fence.first };
  }
  return tail.trim() === '' ? null : { kind: 'text', source: tail };
}

/** The parts of a whole text. */
export function splitMarkdown(text: string): readonly MarkdownPart[] {
  return finishMarkdown(appendMarkdown(EMPTY_MARKDOWN, text));
}

class Splitter {
  readonly #parts: MarkdownPart[] = [];
  #fence: Fence | null;
  #code: string[] = [];
  #block: string[] = [];
  #isList = false;
  #sawBlank = false;

  constructor(fence: Fence | null) {
    this.#fence = fence;
  }

  line(line: string): void {
    if (this.#fence) this.#codeLine(line, this.#fence);
    else if (line.trim() === '') this.#blankLine(line);
    else this.#textLine(line);
  }

  result(): { parts: MarkdownPart[]; pending: string; fence: Fence | null } {
    const open = this.#fence ? this.#code : this.#block;
    return { parts: this.#parts, pending: open.map((line) => `${line}\n`).join(''), fence: this.#fence };
  }

  #codeLine(line: string, fence: Fence): void {
    if (closes(line, fence.marker)) {
      if (this.#code.length > 0 || fence.first) this.#emitCode(fence);
      this.#fence = null;
      return;
    }
    this.#code.push(line);
    if (this.#code.length === CODE_PART_LINES) {
      this.#emitCode(fence);
      this.#fence = { ...fence, first: false };
    }
  }

  #emitCode(fence: Fence): void {
    this.#parts.push({ kind: 'code', language: fence.language, body: this.#code.join('\n'), first: fence.first });
    this.#code = [];
  }

  #blankLine(line: string): void {
    if (this.#isList) {
      this.#sawBlank = true;
      this.#block.push(line);
    } else {
      this.#endBlock();
    }
  }

  #textLine(line: string): void {
    const continuesList = this.#isList && (/^\s{2,}/.test(line) || LIST_ITEM.test(line));
    if (this.#sawBlank && !continuesList) this.#endBlock();
    if (!continuesList) {
      const fence = FENCE.exec(line);
      if (fence?.[1]) {
        this.#endBlock();
        this.#fence = { marker: fence[1], language: fence[2] ?? '', first: true };
        return;
      }
      if (HEADING.test(line)) {
        this.#endBlock();
        this.#block.push(line);
        this.#endBlock();
        return;
      }
    }
    this.#isList ||= LIST_ITEM.test(line);
    this.#sawBlank = false;
    this.#block.push(line);
  }

  #endBlock(): void {
    if (this.#block.length > 0) {
      this.#parts.push({ kind: 'text', source: this.#block.map((line) => `${line}\n`).join('') });
    }
    this.#block = [];
    this.#isList = false;
    this.#sawBlank = false;
  }
}

function closes(line: string, marker: string): boolean {
  const text = line.trim();
  return text.length >= marker.length && text === marker.charAt(0).repeat(text.length);
}
