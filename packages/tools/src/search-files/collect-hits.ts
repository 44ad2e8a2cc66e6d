import type { JsonObject, JsonValue } from '@hermes/providers';
import { parseRecord, type ReportedLine, withoutDot } from './parse-record.ts';
import type { SearchRequest } from './search-request.ts';

/** Hits are kept and counted up to here; then the search ends. */
const MAX_HITS = 50_000;

/** A line longer than this, in characters, is shown around its hit only. */
const MAX_LINE_CHARS = 500;

/** Takes what a search finds. */
export interface HitCollector {
  /** Takes one record of ripgrep; `false` when there are enough. */
  readonly onRecord: (record: Buffer) => boolean;
  /** The entries asked for, in the order of their paths, or as found for names. To be called at the end. */
  readonly page: () => JsonValue[];
  /** Entries found, without those in secret files. */
  readonly total: number;
  /** Entries in secret files. */
  readonly omitted: number;
  /** Matching lines, where entries are files with a number of them. */
  readonly matchingLines?: number;
}

export function hitCollector(request: SearchRequest): HitCollector {
  if (request.target === 'files' || request.outputMode === 'files_only') return new FileHits(request);
  return request.outputMode === 'count' ? new FileCounts(request) : new LineHits(request);
}

interface Hit {
  readonly path: string;
}

abstract class Hits<T extends Hit> {
  omitted = 0;
  protected readonly request: SearchRequest;
  readonly #hits: T[] = [];

  constructor(request: SearchRequest) {
    this.request = request;
  }

  get total(): number {
    return this.#hits.length;
  }

  page(): JsonValue[] {
    const { target, offset, limit } = this.request;
    // Ripgrep searches several files at a time and reports each as it is done; the lines of one file stay together.
    if (target === 'content') this.#hits.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
    return this.#hits.slice(offset, offset + limit).map((hit) => this.entry(hit));
  }

  protected abstract entry(hit: T): JsonValue;

  /** Keeps a hit unless its file is secret, and says whether it did. */
  protected keep(hit: T): boolean {
    const secret = this.request.isSecret(hit.path);
    if (secret) this.omitted += 1;
    else this.#hits.push(hit);
    return !secret;
  }

  protected get hasRoom(): boolean {
    return this.total + this.omitted < MAX_HITS;
  }
}

class FileHits extends Hits<Hit> implements HitCollector {
  onRecord(record: Buffer): boolean {
    const path = withoutDot(record.toString('utf8'));
    if (this.request.fits(path)) this.keep({ path });
    return this.hasRoom;
  }

  protected entry(hit: Hit): JsonValue {
    return this.request.shown(hit.path);
  }
}

interface FileCount extends Hit {
  readonly count: number;
}

class FileCounts extends Hits<FileCount> implements HitCollector {
  matchingLines = 0;

  onRecord(record: Buffer): boolean {
    const end = record.lastIndexOf(0);
    const path = withoutDot(record.subarray(0, end).toString('utf8'));
    const count = Number(record.subarray(end + 1).toString('latin1'));
    if (this.keep({ path, count })) this.matchingLines += count;
    return this.hasRoom;
  }

  protected entry({ path, count }: FileCount): JsonValue {
    return { path: this.request.shown(path), count };
  }
}

interface LineHit extends Hit {
  readonly line: number;
  readonly content: string;
  readonly before: string[];
  readonly after: string[];
}

class LineHits extends Hits<LineHit> implements HitCollector {
  /** Context lines that may belong to the next hit. */
  #pending: ReportedLine[] = [];
  #last: LineHit | undefined;

  onRecord(record: Buffer): boolean {
    const reported = parseRecord(record);
    if (reported?.type === 'context') this.#takeContext(reported);
    else if (reported) this.#takeMatch(reported);
    return this.hasRoom;
  }

  protected entry({ path, line, content, before, after }: LineHit): JsonValue {
    const entry: JsonObject = { path: this.request.shown(path), line, content };
    return this.request.context > 0 ? { ...entry, before, after } : entry;
  }

  #takeMatch(reported: ReportedLine): void {
    const { path, line } = reported;
    const first = line - this.request.context;
    const before = this.#pending.filter((near) => near.path === path && near.line >= first).map(cutLine);
    const hit: LineHit = { path, line, content: cutLine(reported), before, after: [] };
    this.#pending = [];
    this.#last = this.keep(hit) ? hit : undefined;
  }

  /** A line between two hits is shown once, after the first. */
  #takeContext(near: ReportedLine): void {
    const last = this.#last;
    if (last && last.path === near.path && near.line <= last.line + this.request.context)
      last.after.push(cutLine(near));
    else this.#pending.push(near);
  }
}

function cutLine({ text, column }: ReportedLine): string {
  if (text.length <= MAX_LINE_CHARS) return text;
  const start = Math.max(0, Math.min(column - MAX_LINE_CHARS / 5, text.length - MAX_LINE_CHARS));
  const end = start + MAX_LINE_CHARS;
  return `${start > 0 ? '…' : ''}${text.slice(start, end).toWellFormed()}${end < text.length ? '…' : ''}`;
}
