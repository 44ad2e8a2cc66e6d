import { assignmentSpans, isLiteral } from './assignment-spans.ts';
import type { SecretSpan } from './secret-span.ts';
import { TOKEN_SHAPES } from './token-shapes.ts';

export type SpanFinder = (text: string) => SecretSpan[];

/** Exact values shorter than this are not looked for: they would hit ordinary words. */
const SHORTEST_EXACT = 4;

/**
 * Rules for credentials that are recognised by what stands around them. Each pattern captures the credential as
 * `secret`, and starts at a fixed text, so that one pass over the input stays linear.
 */
const CONTEXT_RULES: readonly ContextRule[] = [
  {
    // Authorization: Bearer ..., also as JSON or a curl argument
    hint: /authorization/i,
    pattern:
      /authorization\\?["']?[ \t]{0,8}[:=][ \t]{0,8}\\?["']?(?:Basic|Bearer|Token|Digest|Bot|Negotiate|ApiKey)[ \t]{1,8}(?<secret>[^\s"'\\,;]{1,8192})/dgi,
  },
  {
    // any other scheme, or none
    hint: /authorization/i,
    pattern:
      /authorization\\?["']?[ \t]{0,8}[:=][ \t]{0,8}\\?["']?(?:[A-Z][A-Z0-9-]{0,30}[ \t]{1,8})?(?<secret>[A-Z0-9._~+/=|:-]{8,8192})/dgi,
  },
  { hint: /bearer/i, pattern: /\bbearer[ \t]{1,8}(?<secret>[A-Z0-9._~+/=-]{16,8192})/dgi },
  {
    hint: /cookie/i,
    pattern: /cookie2?\\?["']?[ \t]{0,8}:[ \t]{0,8}\\?["']?(?<secret>[^\s=;,"'\\(){}]{1,256}=[^\r\n"'\\]{1,8192})/dgi,
  },
  // https://user:password@host
  { hint: /:\/\//, pattern: /:\/\/[^\s:@/?#"'<>]{0,256}:(?<secret>[^\s/?#"'<>]{1,1024})@/dg },
  // https://token@host
  { hint: /:\/\//, pattern: /:\/\/(?<secret>[A-Za-z0-9_.~%-]{20,1024})(?::[^\s/?#"'<>@]{0,64})?@/dg },
  {
    hint: /[?&#]/,
    pattern:
      /[?&#](?:access_token|refresh_token|id_token|auth_token|token|api_?key|client_secret|secret|password|passwd|pwd|auth|jwt|sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|private_token|session_token|subscription-key)=(?<secret>[^\s&#"'<>\\]{1,8192})/dgi,
  },
  { hint: /[?&#]/, pattern: /[?&#](?:key|code)=(?<secret>[^\s&#"'<>\\]{16,8192})/dgi },
  {
    // --api-key VALUE on a command line
    hint: /--/,
    pattern:
      /--(?:[a-z-]{0,40}api-?key|[a-z-]{0,40}token|[a-z-]{0,40}password|passphrase|[a-z-]{0,40}secret)(?:=|[ \t]{1,8})\\?["']?(?<secret>[^\s"'\\-][^\s"'\\]{2,8192})/dgi,
  },
  {
    // JSON web tokens, signed or not, and encrypted ones
    hint: /eyJ/,
    pattern: /(?<![A-Za-z0-9_-])(?<secret>eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3})/dg,
  },
  {
    // PEM and PGP private keys, whole, cut off, or with their line ends written as \n
    hint: /PRIVATE KEY/,
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:\s|\\[nrt])*(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash)[^\r\n\\]{0,200}(?:\s|\\[nrt])+){0,5}[A-Za-z0-9+/=]{16,}(?:[A-Za-z0-9+/=\s]|\\[nrt])*)/dg,
  },
];

interface ContextRule {
  /** Cheap look whether the pattern can match at all. */
  readonly hint: RegExp;
  readonly pattern: RegExp;
}

interface CompiledShape {
  readonly hint: string;
  readonly pattern: RegExp;
}

/**
 * Builds the search for everything that looks like a credential, plus the exact values given. The finder answers
 * stretches in order, without overlap. Text that is already masked is not found again.
 *
 * @example
 * const find = createSpanFinder(secrets.values());
 * if (find(url).length > 0) throw new Error('the address carries a credential');
 */
export function createSpanFinder(exactSecrets: readonly string[]): SpanFinder {
  const exact = exactForms(exactSecrets);
  const shapes = TOKEN_SHAPES.map(
    ({ hint, pattern }): CompiledShape => ({ hint, pattern: new RegExp(`(?<![A-Za-z0-9])(?:${pattern})`, 'g') }),
  );
  return (text) => {
    const spans = [
      ...exactSpans(text, exact),
      ...shapeSpans(text, shapes),
      ...contextSpans(text),
      ...assignmentSpans(text),
    ];
    return joinSpans(spans);
  };
}

/** The values themselves and as they stand in a URL or inside JSON. */
function exactForms(secrets: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < SHORTEST_EXACT) continue;
    forms.add(secret);
    forms.add(encodeURIComponent(secret.toWellFormed()));
    forms.add(JSON.stringify(secret).slice(1, -1));
  }
  return [...forms];
}

function exactSpans(text: string, forms: readonly string[]): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const form of forms) {
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) {
      spans.push({ start: at, end: at + form.length });
    }
  }
  return spans;
}

function shapeSpans(text: string, shapes: readonly CompiledShape[]): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { hint, pattern } of shapes) {
    if (!text.includes(hint)) continue;
    for (const match of text.matchAll(pattern)) spans.push({ start: match.index, end: match.index + match[0].length });
  }
  return spans;
}

function contextSpans(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { hint, pattern } of CONTEXT_RULES) {
    if (!hint.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.groups?.['secret'] ?? [0, 0];
      const isCall = '([{'.includes(text[end] ?? ' ');
      if (!isCall && isLiteral(text.slice(start, end))) spans.push({ start, end });
    }
  }
  return spans;
}

function joinSpans(spans: SecretSpan[]): SecretSpan[] {
  spans.sort((a, b) => a.start - b.start);
  const joined: SecretSpan[] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && span.start < last.end) {
      if (span.end > last.end) joined[joined.length - 1] = { start: last.start, end: span.end };
    } else joined.push(span);
  }
  return joined;
}
