/**
 * Which rules apply. `context`: text the user did not write but can see (project files, tool results). `strict` adds what has no
 * place in memory, recall and skills.
 */
export type ScanScope = 'context' | 'strict';

/** Class of a rule; names the danger for the person who reads the refusal. */
export type ScanRule =
  | 'invisible_text'
  | 'override'
  | 'role_hijack'
  | 'concealment'
  | 'hidden_html'
  | 'exfiltration'
  | 'secret_read';

/** At most this many characters of a text are looked at (context spec 2.3). */
const SCAN_CHARS = 65_536;

/** Invisible and direction-changing code points that have no use in instructions. ZWJ and ZWNJ are needed by scripts and emoji. */
const INVISIBLE = /[\u200B\u2060-\u2064\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u;

/** Up to eight filler words between key words. */
const GAP = String.raw`(?:[\s,]+\S+){0,8}?[\s,]+`;

interface Pattern {
  readonly rule: ScanRule;
  readonly scope: ScanScope;
  readonly pattern: RegExp;
}

/** One row a danger; tested one by one. */
const scanPatterns: readonly Pattern[] = [
  {
    rule: 'override',
    scope: 'context',
    pattern: new RegExp(
      String.raw`\b(?:ignore|disregard|forget|override)${GAP}(?:previous|prior|above|earlier|all|system)${GAP}(?:instructions?|prompts?|rules?|guidelines?)\b`,
      'iu',
    ),
  },
  {
    rule: 'override',
    scope: 'context',
    pattern: /\b(?:ignore|disregard)\s+(?:previous|prior|all)\s+(?:instructions?|prompts?|rules?)\b/iu,
  },
  {
    rule: 'override',
    scope: 'context',
    pattern: /(?:忽略|无视|忘记)(?:你|您)?(?:之前|以上|上面|先前|所有)[^。\n]{0,12}(?:指令|指示|提示|规则)/u,
  },
  {
    rule: 'override',
    scope: 'context',
    pattern: /\b(?:ignorez?|oubliez?)\s+(?:toutes\s+)?les\s+instructions\s+(?:précédentes|antérieures)/iu,
  },
  {
    rule: 'override',
    scope: 'context',
    pattern: /\b(?:ignora|olvida)\s+(?:todas\s+)?las\s+instrucciones\s+(?:anteriores|previas)/iu,
  },
  {
    rule: 'override',
    scope: 'context',
    pattern: /\b(?:ignoriere|vergiss)\s+(?:alle\s+)?(?:vorherigen|bisherigen)\s+(?:anweisungen|instruktionen)/iu,
  },
  {
    rule: 'override',
    scope: 'context',
    pattern: /(?:игнорируй|забудь)\S*\s+(?:все\s+)?(?:предыдущие|прежние)\s+(?:инструкции|указания)/iu,
  },
  {
    rule: 'role_hijack',
    scope: 'context',
    pattern:
      /\byou\s+are\s+(?:now|no\s+longer)\s+(?:an?\s+)?(?:different|unrestricted|jailbroken|DAN|evil|developer\s+mode)\b/iu,
  },
  {
    rule: 'role_hijack',
    scope: 'context',
    pattern: /^\s*(?:<\|?(?:im_start|system)\|?>|\[INST\]|<<SYS>>|system\s*prompt\s*:)/imu,
  },
  {
    rule: 'concealment',
    scope: 'context',
    pattern: new RegExp(
      String.raw`\b(?:do\s+not|don't|never)\s+(?:tell|inform|mention|reveal|show)${GAP}?(?:the\s+)?user\b`,
      'iu',
    ),
  },
  { rule: 'concealment', scope: 'context', pattern: /(?:不要|别|切勿)(?:告诉|告知|透露给)(?:用户|使用者)/u },
  {
    rule: 'hidden_html',
    scope: 'context',
    pattern: /<!--[^>]{0,400}?\b(?:ignore|instruction|system\s+prompt|assistant\s+must)\b/iu,
  },
  {
    rule: 'hidden_html',
    scope: 'context',
    pattern:
      /<[a-z]+[^>]{0,200}style\s*=\s*["'][^"']{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0)/iu,
  },
  {
    rule: 'exfiltration',
    scope: 'context',
    pattern: /\b(?:curl|wget|nc|fetch)\b[^\n]{0,200}\$\{?[A-Z_]*(?:KEY|TOKEN|SECRET|PASSWORD)\b/u,
  },
  { rule: 'exfiltration', scope: 'context', pattern: /\b(?:env|printenv)\s*\|\s*(?:curl|nc|wget|base64)\b/u },
  {
    rule: 'secret_read',
    scope: 'context',
    pattern:
      /\b(?:cat|less|head|tail|cp|base64)\s+[^\n|;]{0,120}(?:\.env\b|\.ssh\/id_|\.aws\/credentials|\.netrc\b|\.pgpass\b)/u,
  },
  {
    rule: 'exfiltration',
    scope: 'strict',
    pattern:
      /\b(?:send|post|upload)\b[^\n]{0,80}\b(?:api\s*keys?|passwords?|credentials|secrets?)\b[^\n]{0,80}\b(?:to|https?:\/\/)/iu,
  },
  { rule: 'secret_read', scope: 'strict', pattern: /\bauthorized_keys\b/u },
];

/**
 * Looks for text that tries to give orders to the agent. Returns the class of the first rule that matches, or undefined.
 *
 * @example
 * scanForInjection('Ignore all previous instructions.', 'context'); // 'override'
 */
export function scanForInjection(text: string, scope: ScanScope): ScanRule | undefined {
  const raw = text.slice(0, SCAN_CHARS).replace(/^\uFEFF/u, '');
  if (INVISIBLE.test(raw)) return 'invisible_text';
  const folded = raw.normalize('NFKC');
  return scanPatterns.find((entry) => (entry.scope === 'context' || scope === 'strict') && entry.pattern.test(folded))
    ?.rule;
}
