/** Values shorter than this are masked whole (CLI spec 10). */
const SHORTEST_PARTLY_SHOWN = 18;
const HEAD = 6;
const TAIL = 4;

/** What `mask` produces; text of this form is left alone, so that masking twice changes nothing. */
const MASKED = /^(?:\*{3}|[A-Za-z0-9_-]{6}\.{3}[A-Za-z0-9_-]{4})$/;
const PLAIN_ENDS = /^[A-Za-z0-9_-]{6}[\s\S]*[A-Za-z0-9_-]{4}$/;

/**
 * A credential for showing: `***`, or its first 6 and last 4 characters when it has 18 or more. Ends that hold
 * anything but letters, digits, `_` and `-` are not shown, because they could read as syntax of their own.
 *
 * @example
 * mask('hunter2'); // '***'
 * mask('sk-proj-0123456789abcdef'); // 'sk-pro...cdef'
 */
export function mask(value: string): string {
  if (isMasked(value)) return value;
  if (value.length < SHORTEST_PARTLY_SHOWN || !PLAIN_ENDS.test(value)) return '***';
  return `${value.slice(0, HEAD)}...${value.slice(-TAIL)}`;
}

export function isMasked(value: string): boolean {
  return MASKED.test(value);
}
