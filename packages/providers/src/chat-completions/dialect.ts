import type { Route } from '../route/route.ts';

/** Where servers that speak Chat Completions differ in what they want to be sent. */
export interface Dialect {
  /** Name of the field that limits the length of the answer. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Whether earlier reasoning must be sent back; everywhere else it must not be. */
  readonly echoesReasoning: boolean;
}

const STANDARD: Dialect = { maxTokensField: 'max_tokens', echoesReasoning: false };

/** By host, because it is the server that decides, not the model's name. Source: turn engine spec 13, "reasoning replay". */
const BY_HOST: readonly (readonly [host: RegExp, differences: Partial<Dialect>])[] = [
  [/(^|\.)openai\.com$/, { maxTokensField: 'max_completion_tokens' }],
  [/(^|\.)(deepseek\.com|moonshot\.(ai|cn)|kimi\.com|xiaomimimo\.com)$/, { echoesReasoning: true }],
];

export function dialectOf({ baseUrl }: Route): Dialect {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const differences = BY_HOST.filter(([pattern]) => pattern.test(host)).map(([, difference]) => difference);
  return Object.assign({ ...STANDARD }, ...differences);
}
