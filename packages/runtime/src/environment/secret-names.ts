/**
 * Last words of a name that holds a credential, in any spelling: `OPENAI_API_KEY`, `apiKey`, `client-secret`,
 * `spring.datasource.password`. A bare `key`, `token count` or `session_key` is not one.
 */
const SECRET_WORDS = [
  '(?:^|_)(?:api|access|private|secret|signing|encryption|master|account|shared|service|deploy|auth|license)_?keys?',
  '[a-z]*(?:apikey|password|passwd|passphrase|secret)s?',
  '[a-z]*token',
  '(?:^|_)(?:credentials?|authorization|bearer|cookies?)',
  '[a-z]_(?:pass|pwd|auth)',
];

/** Words that may follow: which one of several it is. */
const VARIANT = String.raw`(?:_(?:\d+|base|dev|test|staging|prod|production|old|new))?`;
const SECRET_ENDING = new RegExp(`(?:${SECRET_WORDS.join('|')})${VARIANT}$`);

/** Names that end like a credential and are none: paging, tokenizer and agent sockets. */
const NOT_SECRET = /(?:^|_)(?:next|page|continuation|sync|cancel|cancellation|bos|eos|pad|unk|sep|cls|mask)_?token$/;

/** `*_KEY` in capitals is a credential unless it is one of these. */
const CAPITAL_KEY = /_KEY$/;
const PLAIN_KEY = /(?:^|_)(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION|CACHE|UNIQUE|HOT)_KEY$/;

const CAPITALS = /^[A-Z][A-Z0-9_]*$/;

/** Names that `config set` keeps in `.env` (CLI spec 5.2 rule 2). */
const SECRET_VARIABLE = /_(?:API_KEY|TOKEN|SECRET|PASSWORD|KEY)$/;

/**
 * Credentials of model providers, chat platforms and tools whose names the general shapes do not give away, and
 * those that must never reach a child process although a shell exported them (tools spec 17).
 */
const REGISTERED: ReadonlySet<string> = new Set([
  // model providers
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_TOKEN',
  'AWS_BEARER_TOKEN_BEDROCK',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'COPILOT_GITHUB_TOKEN',
  'GH_TOKEN',
  'GITHUB_TOKEN',
  'HF_TOKEN',
  'HUGGING_FACE_HUB_TOKEN',
  'REPLICATE_API_TOKEN',
  // chat platforms
  'DINGTALK_CLIENT_SECRET',
  'DISCORD_BOT_TOKEN',
  'EMAIL_PASSWORD',
  'FEISHU_APP_SECRET',
  'HASS_TOKEN',
  'LINE_CHANNEL_ACCESS_TOKEN',
  'LINE_CHANNEL_SECRET',
  'MATRIX_ACCESS_TOKEN',
  'MATRIX_PASSWORD',
  'MATTERMOST_TOKEN',
  'QQ_CLIENT_SECRET',
  'SLACK_APP_TOKEN',
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'TEAMS_CLIENT_SECRET',
  'TELEGRAM_BOT_TOKEN',
  'TWILIO_AUTH_TOKEN',
  'WEBHOOK_SECRET',
  'WECOM_SECRET',
  'WHATSAPP_ACCESS_TOKEN',
  // tools and terminal backends
  'MODAL_TOKEN_ID',
  'MODAL_TOKEN_SECRET',
  'SUDO_PASSWORD',
  'VERCEL_TOKEN',
]);

/**
 * Whether a value under this name should be treated as a credential, whatever the spelling of the name.
 *
 * @example
 * isSecretName('apiKey'); // true
 * isSecretName('max_tokens'); // false
 */
export function isSecretName(name: string): boolean {
  if (REGISTERED.has(name)) return true;
  if (CAPITALS.test(name) && CAPITAL_KEY.test(name)) return !PLAIN_KEY.test(name);
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[-.\s]+/g, '_')
    .toLowerCase();
  return SECRET_ENDING.test(words) && !NOT_SECRET.test(words);
}

/** Whether `config set NAME` puts the value into `.env`: a registered credential, or the shape of one in capitals. */
export function isSecretVariable(name: string): boolean {
  return CAPITALS.test(name) && (REGISTERED.has(name) || SECRET_VARIABLE.test(name));
}

/**
 * Whether Hermes itself uses this variable as a credential: every `*_API_KEY`, because any provider may be
 * configured, and the registered ones.
 */
export function isHermesCredential(name: string): boolean {
  return REGISTERED.has(name) || /(?:^|_)API_?KEY$/.test(name);
}

/** Variables that steer other programs or Hermes' own policy; they are never written to a file (CLI spec 5.2 rule 7). */
const STEERING: ReadonlySet<string> = new Set([
  'BASH_ENV',
  'BROWSER',
  'EDITOR',
  'ENV',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'HERMES_HOME',
  'HERMES_KANBAN_TASK',
  'HERMES_REDACT_SECRETS',
  'HERMES_SESSION_ID',
  'HERMES_YOLO_MODE',
  'IFS',
  'NODE_OPTIONS',
  'PAGER',
  'PATH',
  'PERL5LIB',
  'PERL5OPT',
  'PROMPT_COMMAND',
  'RUBYLIB',
  'RUBYOPT',
  'SHELL',
  'VISUAL',
]);

export function isSteeringVariable(name: string): boolean {
  return STEERING.has(name) || /^(?:LD_|DYLD_|PYTHON)/.test(name);
}
