import { isMasked, mask } from './mask.ts';
import { createSpanFinder, type SpanFinder } from './secret-spans.ts';
import { TOKEN_SHAPES } from './token-shapes.ts';

/**
 * Masking can put two harmless pieces side by side that look like a credential together; each further pass masks
 * more than the last, so this many are more than enough to reach the end.
 */
const MAX_PASSES = 8;

export type Redactor = (text: string) => string;

/**
 * Prepares redaction for a set of known secret values; keep the result where many texts are redacted.
 *
 * @example
 * const redact = createRedactor(secrets.values());
 * redact('GET /?api_key=0123456789abcdef0123'); // 'GET /?api_key=012345...0123'
 */
export function createRedactor(exactSecrets: readonly string[] = []): Redactor {
  const find = createSpanFinder(exactSecrets);
  return (text) => {
    let current = text;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const next = maskOnce(current, find);
      if (next === current) return current;
      current = next;
    }
    return current;
  };
}

/**
 * Masks every credential in a text: the exact values given, the token shapes of known vendors, authorization and
 * cookie headers, JSON web tokens, private keys, credentials in URLs, and values of names such as `API_KEY`. Takes
 * time in proportion to the text; redacting twice changes nothing (CLI spec 10).
 *
 * @example
 * redact('password: hunter22'); // 'password: ***'
 */
export function redact(text: string, exactSecrets: readonly string[] = []): string {
  return createRedactor(exactSecrets)(text);
}

/** Names of the token shapes that redaction would let through; empty when it works. For the doctor and exports. */
export function redactionSelfTest(redactor: Redactor = createRedactor()): string[] {
  return TOKEN_SHAPES.filter(({ sample }) => redactor(`value ${sample.join('')} end`).includes(sample.join(''))).map(
    (shape) => shape.id,
  );
}

function maskOnce(text: string, find: SpanFinder): string {
  let result = '';
  let at = 0;
  for (const { start, end } of find(text)) {
    const found = text.slice(start, end);
    if (isMasked(found)) continue;
    result += text.slice(at, start) + mask(found);
    at = end;
  }
  return at === 0 ? text : result + text.slice(at);
}
