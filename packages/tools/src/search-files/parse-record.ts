/** A line that ripgrep reported: a hit, or one shown around a hit. */
export interface ReportedLine {
  readonly type: 'match' | 'context';
  /** Relative to the folder searched. */
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** Index in `text` where the first hit begins. */
  readonly column: number;
}

/** Reads one record of `rg --json`; undefined for records of another kind and for what is no such record. */
export function parseRecord(record: Buffer): ReportedLine | undefined {
  let message: unknown;
  try {
    message = JSON.parse(record.toString('utf8'));
  } catch {
    return undefined;
  }
  const type = field(message, 'type');
  if (type !== 'match' && type !== 'context') return undefined;
  const data = field(message, 'data');
  const path = textOf(field(data, 'path'));
  const text = textOf(field(data, 'lines'));
  const line = field(data, 'line_number');
  if (path === undefined || text === undefined || typeof line !== 'number') return undefined;
  return { type, path: withoutDot(path), line, text: text.replace(/\r?\n$/u, ''), column: columnOf(data, text) };
}

/** Paths are reported relative to the operand `./`. */
export function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

/** The first hit's place; ripgrep counts in bytes. */
function columnOf(data: unknown, text: string): number {
  const submatches = field(data, 'submatches');
  const start = Array.isArray(submatches) ? field(submatches[0], 'start') : undefined;
  return typeof start === 'number' ? Buffer.from(text, 'utf8').subarray(0, start).toString('utf8').length : 0;
}

/** `{ text }`, or `{ bytes }` in base64 for what is no valid UTF-8. */
function textOf(value: unknown): string | undefined {
  const text = field(value, 'text');
  if (typeof text === 'string') return text;
  const bytes = field(value, 'bytes');
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64').toString('utf8') : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
