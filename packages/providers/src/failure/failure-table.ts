import type { Route } from '../route/route.ts';
import type { Failure, FailureKind } from './failure.ts';
import type { FailureReason } from './provider-error.ts';

/** All that is given must hold. A status is matched by its number or by its class, as in `5xx`. */
export interface Condition {
  readonly kind?: FailureKind;
  readonly status?: readonly (number | '3xx' | '4xx' | '5xx')[];
  readonly code?: readonly string[];
  readonly text?: RegExp;
  /** Whether the provider named a time to try again. */
  readonly namesReset?: boolean;
  readonly webPage?: true;
}

export interface FailureRow {
  readonly name: string;
  readonly reason: FailureReason;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The row applies when one of these does. */
  readonly when: readonly Condition[];
  /** What a person can do next. */
  readonly advice: (route: Route) => string;
}

const retry = () => 'Try again in a moment.';
const newKey = ({ provider, keyEnv }: Route) =>
  keyEnv === undefined
    ? `Give provider ${provider} a key: set providers.${provider}.key_env in config.yaml.`
    : `Check the key in ${keyEnv}; set a new one with \`hermes config set ${keyEnv} <key>\`.`;
const baseUrl = ({ baseUrl }: Route) => `Check the base_url ${baseUrl}; it usually ends in /v1.`;

const CERTIFICATE_CODES = [
  'depth_zero_self_signed_cert',
  'self_signed_cert_in_chain',
  'unable_to_verify_leaf_signature',
  'unable_to_get_issuer_cert',
  'unable_to_get_issuer_cert_locally',
  'cert_has_expired',
  'cert_not_yet_valid',
  'cert_untrusted',
  'cert_revoked',
  'hostname_mismatch',
  'err_tls_cert_altname_invalid',
];

const BILLING_CODES = [
  'insufficient_quota',
  'insufficient_credits',
  'billing_not_active',
  'payment_required',
  'no_usable_credits',
  'balance_depleted',
  'credit_balance_exhausted',
  'terminal_quota_exhausted',
  'personal-team-blocked:spending-limit',
];

/** A usage limit is a matter of money only where nothing speaks of a rate. */
const BILLING_TEXT =
  /insufficient (credit|balance|fund|quota)|credit balance is too low|out of credits|exceeded your current quota|^(?![^]*rate.limit)[^]*(spend|spending|usage) limit/;

const OVERFLOW_TEXT =
  /maximum context length|context (length|window|size).{0,40}(exceed|too (long|small)|limit)|exceed.{0,60}context (length|window|size)|prompt is too long|input (is )?too long|input length.{0,40}exceed|too many (input |prompt )?tokens|reduce the length of the (messages|prompt|input)/;

/**
 * The failure policy as data: the first row that applies decides. Specific wording stands before status codes, and
 * memory and rate wording before overflow wording, because the wrong repair makes things worse. Source: turn engine spec 14.
 */
export const FAILURE_TABLE: readonly FailureRow[] = [
  {
    name: 'certificate refused',
    reason: 'tls_certificate',
    retryable: false,
    when: [{ kind: 'network', code: CERTIFICATE_CODES }],
    advice: () => 'Check the clock of this machine, or trust the issuer with NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
  },
  {
    name: 'key that cannot be sent',
    reason: 'auth',
    retryable: false,
    when: [{ kind: 'network', code: ['err_invalid_char'] }],
    advice: newKey,
  },
  {
    name: 'no connection',
    reason: 'timeout',
    retryable: true,
    when: [{ kind: 'network' }],
    advice: ({ baseUrl }) => `Check the network and that a server is running at ${baseUrl}.`,
  },
  {
    name: 'limit of the call reached',
    reason: 'timeout',
    retryable: true,
    when: [{ kind: 'silent' }, { kind: 'late' }],
    advice: retry,
  },
  {
    name: 'stream cut',
    reason: 'stream_interrupted',
    retryable: true,
    when: [{ kind: 'cut' }],
    advice: retry,
  },
  {
    name: 'nothing usable in a success',
    reason: 'invalid_response',
    retryable: true,
    when: [{ kind: 'empty' }, { kind: 'malformed' }],
    advice: retry,
  },
  {
    name: 'not a model server',
    reason: 'invalid_response',
    retryable: false,
    when: [{ kind: 'page' }],
    advice: baseUrl,
  },
  {
    name: 'blocked on the way',
    reason: 'upstream_blocked',
    retryable: false,
    when: [{ status: [403], webPage: true }],
    advice: () =>
      'A firewall stands between this machine and the provider; try another network or ask its administrator.',
  },
  {
    name: 'request too large',
    reason: 'payload_too_large',
    retryable: true,
    when: [{ status: [413] }, { text: /(request entity|payload) too large/ }],
    advice: () => 'Shorten the conversation with /compress, or attach fewer images.',
  },
  {
    name: 'server out of memory',
    reason: 'memory_ceiling',
    retryable: true,
    when: [
      { code: ['prefill_memory_exceeded'] },
      { text: /(out of|insufficient|not enough) (gpu |system |video |kv.cache )?memory|memory (limit|ceiling|guard)/ },
    ],
    advice: () => 'Free memory on the server, or load a smaller model.',
  },
  {
    name: 'credit spent',
    reason: 'billing',
    retryable: false,
    when: [
      { status: [402], namesReset: false },
      { code: BILLING_CODES },
      {
        status: [400, 403, 404, 429],
        namesReset: false,
        text: BILLING_TEXT,
      },
    ],
    advice: ({ provider }) => `Add credit to your account at ${provider}, or choose another provider with /model.`,
  },
  {
    name: 'rate limit behind an aggregator',
    reason: 'upstream_rate_limit',
    retryable: true,
    when: [{ status: [429], text: /rate.limited upstream|upstream (provider )?rate.limit/ }],
    advice: retry,
  },
  {
    name: 'overloaded, in words',
    reason: 'overloaded',
    retryable: true,
    when: [
      { code: ['overloaded_error', 'unavailable', 'upstream_unavailable'] },
      { status: [403, 429, 500, 529], text: /overloaded|(at|over) capacity/ },
    ],
    advice: retry,
  },
  {
    name: 'rate limit',
    reason: 'rate_limit',
    retryable: true,
    when: [
      { status: [429] },
      { status: [402], namesReset: true },
      { code: ['rate_limit_exceeded', 'rate_limit_error', 'resource_exhausted', 'throttled', 'usage_limit_reached'] },
      { kind: 'error_event', text: /rate.limit|too many requests|throttl/ },
    ],
    advice: () => 'Wait a moment, or choose another model with /model.',
  },
  {
    name: 'answer longer than allowed',
    reason: 'output_cap_exceeded',
    retryable: false,
    when: [
      {
        status: [400, 422],
        text: /max_(completion_|output_)?tokens.{0,40}(too large|too high|must be (less|at most))/,
      },
      { status: [400, 422], text: /supports at most \d+ (completion|output) tokens/ },
    ],
    advice: () => 'Lower the output limit of the model.',
  },
  {
    name: 'conversation too long',
    reason: 'context_overflow',
    retryable: true,
    when: [{ code: ['context_length_exceeded', 'max_tokens_exceeded'] }, { text: OVERFLOW_TEXT }],
    advice: () => 'Shorten the conversation with /compress, or choose a model with a larger window.',
  },
  {
    name: 'content policy',
    reason: 'content_policy_blocked',
    retryable: false,
    when: [
      { code: ['content_filter', 'content_policy_violation', 'responsibleaipolicyviolation'] },
      { text: /content (management )?policy|flagged by (our )?(moderation|safety)/ },
    ],
    advice: () => 'Word the request differently, or choose another model with /model.',
  },
  {
    name: 'model unknown',
    reason: 'model_not_found',
    retryable: false,
    when: [
      { code: ['model_not_found', 'model_not_available', 'invalid_model'] },
      {
        status: [400, 403, 404, 422],
        text: /model.{0,80}(not found|does not exist|not exist|is not available|not supported)|(no such|unknown|invalid) model|not a valid model|no endpoints found/,
      },
    ],
    advice: ({ provider, model }) => `Choose a model that ${provider} serves with /model; it was asked for ${model}.`,
  },
  {
    name: 'key refused',
    reason: 'auth',
    retryable: false,
    when: [
      { status: [401, 403] },
      { code: ['invalid_api_key', 'authentication_error'] },
      { kind: 'error_event', text: /(invalid|incorrect) api key|unauthori[sz]ed/ },
    ],
    advice: newKey,
  },
  {
    name: 'timed out at the provider',
    reason: 'timeout',
    retryable: true,
    when: [{ status: [408] }, { code: ['deadline_exceeded'] }],
    advice: retry,
  },
  {
    name: 'overloaded, by status',
    reason: 'overloaded',
    retryable: true,
    when: [{ status: [503, 529] }],
    advice: retry,
  },
  {
    name: 'error of the server',
    reason: 'server_error',
    retryable: true,
    when: [{ status: ['5xx'] }, { code: ['internal', 'api_error', 'server_error'] }],
    advice: retry,
  },
  {
    name: 'address that nobody serves',
    reason: 'unknown',
    retryable: false,
    when: [{ status: [404, 405] }],
    advice: baseUrl,
  },
  {
    name: 'redirected',
    reason: 'format_error',
    retryable: false,
    when: [{ status: ['3xx'] }],
    advice: ({ baseUrl }) => `Set the base_url ${baseUrl} to the address the provider really answers at.`,
  },
  {
    name: 'request refused',
    reason: 'format_error',
    retryable: false,
    when: [{ status: ['4xx'] }],
    advice: ({ model }) => `The provider did not accept this request for ${model}; choose another model with /model.`,
  },
  {
    name: 'anything else',
    reason: 'unknown',
    retryable: true,
    when: [{}],
    advice: retry,
  },
];

/** The first row of the table that applies; the last one always does. */
export function failureRow(failure: Failure): FailureRow {
  const row = FAILURE_TABLE.find(({ when }) => when.some((condition) => holds(condition, failure)));
  if (row === undefined) throw new Error('The failure table has lost its last row.');
  return row;
}

function holds(condition: Condition, failure: Failure): boolean {
  const { kind, status, code, text, namesReset, webPage } = condition;
  return (
    (kind === undefined || kind === failure.kind) &&
    (status === undefined || statusIn(status, failure.status)) &&
    (code === undefined || code.some((one) => failure.codes?.includes(one) === true)) &&
    (text === undefined || text.test(failure.text ?? '')) &&
    (namesReset === undefined || namesReset === hasReset(failure)) &&
    (webPage === undefined || failure.contentType?.includes('html') === true)
  );
}

function statusIn(wanted: NonNullable<Condition['status']>, status: number | undefined): boolean {
  if (status === undefined) return false;
  const group = `${Math.floor(status / 100)}xx`;
  return wanted.some((one) => one === status || one === group);
}

function hasReset(failure: Failure): boolean {
  return (
    failure.retryAfterMs !== undefined ||
    /\bresets? (in|at)\b|\b(try again|retry) (in|at|after)\b/.test(failure.text ?? '')
  );
}
