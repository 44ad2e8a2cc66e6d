/** The form of one vendor's tokens. Data, so that adding a vendor is one line with its sample. */
export interface TokenShape {
  readonly id: string;
  /** Text every match contains; shapes whose hint is absent are not even tried. */
  readonly hint: string;
  /** Regular expression source without groups that capture. It must fail within a bounded number of steps. */
  readonly pattern: string;
  /** An invented token in parts, joined only when it is used: the source itself then holds nothing token-shaped. */
  readonly sample: readonly string[];
}

const W = '[A-Za-z0-9_-]';
const A = '[A-Za-z0-9]';
const HEX = '[0-9a-f]';
/** As they are and as they stand inside a query parameter. */
const COLON = '(?::|%3A)';
const SLASH = '(?:/|%2F)';
const EQUALS = '(?:=|%3D)';

/** Invented bodies for the samples. */
const MIXED = ['q7Rt2LmX9v', 'Bc4Zk8Wn1', 'Hs6Yd3Fg5', 'Jp0Qe7Ua2', 'Mi9Ox4Vl6', 'Tr3Sb8Nc1'].join('');
const LONG = MIXED + MIXED.toLowerCase() + MIXED;
const HEXES = ['0f1e2d3c', '4b5a6978', '8796a5b4', 'c3d2e1f0'].join('');
const UPPER = 'Q7RT2LMX7VBC4ZK6WN2HS6YD3FG5JP';

export const TOKEN_SHAPES: readonly TokenShape[] = [
  // model providers
  { id: 'openai', hint: 'sk-', pattern: `sk-${W}{20,}`, sample: ['sk-', 'proj-', MIXED] },
  { id: 'anthropic', hint: 'sk-ant-', pattern: `sk-ant-${W}{16,}`, sample: ['sk-', 'ant-api03-', MIXED] },
  { id: 'openrouter', hint: 'sk-or-', pattern: `sk-or-${W}{16,}`, sample: ['sk-', 'or-v1-', HEXES] },
  { id: 'google-api', hint: 'AIza', pattern: `AIza${W}{30,}`, sample: ['AI', 'za', MIXED.slice(0, 35)] },
  { id: 'xai', hint: 'xai-', pattern: `xai-${A}{20,}`, sample: ['xa', 'i-', MIXED] },
  { id: 'groq', hint: 'gsk_', pattern: `gsk_${A}{20,}`, sample: ['gs', 'k_', MIXED] },
  { id: 'huggingface', hint: 'hf_', pattern: `hf_${A}{20,}`, sample: ['h', 'f_', MIXED.slice(0, 34)] },
  { id: 'replicate', hint: 'r8_', pattern: `r8_${A}{20,}`, sample: ['r', '8_', MIXED.slice(0, 37)] },
  { id: 'perplexity', hint: 'pplx-', pattern: `pplx-${A}{20,}`, sample: ['pp', 'lx-', MIXED] },
  { id: 'fireworks', hint: 'fw_', pattern: `fw_${A}{16,}`, sample: ['f', 'w_', MIXED.slice(0, 24)] },
  { id: 'nvidia', hint: 'nvapi-', pattern: `nvapi-${W}{20,}`, sample: ['nv', 'api-', MIXED] },
  { id: 'cerebras', hint: 'csk-', pattern: `csk-${A}{20,}`, sample: ['cs', 'k-', MIXED] },
  { id: 'together', hint: 'tgp_v1_', pattern: `tgp_v1_${W}{20,}`, sample: ['tg', 'p_v1_', MIXED] },
  { id: 'langsmith', hint: 'lsv2_', pattern: `lsv2_(?:pt|sk)_${W}{20,}`, sample: ['ls', 'v2_pt_', HEXES] },
  { id: 'pinecone', hint: 'pcsk_', pattern: `pcsk_${W}{20,}`, sample: ['pc', 'sk_', MIXED] },
  { id: 'elevenlabs', hint: 'sk_', pattern: `sk_${HEX}{32,}`, sample: ['s', 'k_', HEXES, HEXES.slice(0, 16)] },
  // search, browser and sandbox tools
  { id: 'tavily', hint: 'tvly-', pattern: `tvly-${W}{16,}`, sample: ['tv', 'ly-', MIXED.slice(0, 32)] },
  { id: 'firecrawl', hint: 'fc-', pattern: `fc-${HEX}{32}`, sample: ['f', 'c-', HEXES] },
  { id: 'browserbase', hint: 'bb_live_', pattern: `bb_live_${W}{16,}`, sample: ['bb', '_live_', MIXED.slice(0, 27)] },
  { id: 'e2b', hint: 'e2b_', pattern: `e2b_${HEX}{20,}`, sample: ['e2', 'b_', HEXES] },
  { id: 'daytona', hint: 'dtn_', pattern: `dtn_${HEX}{32,}`, sample: ['dt', 'n_', HEXES, HEXES] },
  { id: 'modal', hint: 'a', pattern: `a[ks]-${A}{22,}`, sample: ['a', 'k-', MIXED.slice(0, 22)] },
  {
    id: 'fal',
    hint: '-',
    pattern: `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}${COLON}${HEX}{32}`,
    sample: ['0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0', ':', HEXES],
  },
  // code hosting and packages
  { id: 'github', hint: 'gh', pattern: `gh[opsur]_${A}{30,}`, sample: ['gh', 'p_', MIXED.slice(0, 36)] },
  {
    id: 'github-fine',
    hint: 'github_pat_',
    pattern: `github_pat_[A-Za-z0-9_]{22,}`,
    sample: ['github', '_pat_', MIXED],
  },
  {
    id: 'gitlab',
    hint: 'gl',
    pattern: `gl(?:pat|dt|rt|ptt|cbt|oas|ft|agent)-${W}{20,}`,
    sample: ['gl', 'pat-', MIXED.slice(0, 20)],
  },
  { id: 'npm', hint: 'npm_', pattern: `npm_${A}{30,}`, sample: ['np', 'm_', MIXED.slice(0, 36)] },
  { id: 'pypi', hint: 'pypi-', pattern: `pypi-${W}{40,}`, sample: ['py', 'pi-', LONG] },
  { id: 'rubygems', hint: 'rubygems_', pattern: `rubygems_${HEX}{40,}`, sample: ['ruby', 'gems_', HEXES, HEXES] },
  { id: 'docker', hint: 'dckr_', pattern: `dckr_(?:pat|oat)_${W}{20,}`, sample: ['dc', 'kr_pat_', MIXED.slice(0, 27)] },
  {
    id: 'postman',
    hint: 'PMAK-',
    pattern: `PMAK-${HEX}{24}-${HEX}{34}`,
    sample: ['PM', 'AK-', HEXES.slice(0, 24), '-', HEXES, '0f'],
  },
  { id: 'figma', hint: 'figd_', pattern: `figd_${W}{30,}`, sample: ['fi', 'gd_', MIXED] },
  { id: 'linear', hint: 'lin_', pattern: `lin_(?:api|oauth)_${A}{30,}`, sample: ['li', 'n_api_', MIXED] },
  { id: 'notion', hint: 'ntn_', pattern: `ntn_${A}{40,}`, sample: ['nt', 'n_', MIXED] },
  {
    id: 'airtable',
    hint: 'pat',
    pattern: `pat${A}{14}\\.${HEX}{64}`,
    sample: ['p', 'at', MIXED.slice(0, 14), '.', HEXES, HEXES],
  },
  { id: 'atlassian', hint: 'ATATT3', pattern: `ATATT3[A-Za-z0-9_=-]{40,}`, sample: ['ATA', 'TT3', LONG] },
  // clouds and infrastructure
  {
    id: 'aws-key-id',
    hint: 'A',
    pattern: `(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}`,
    sample: ['AK', 'IA', UPPER.slice(0, 16)],
  },
  { id: 'google-oauth', hint: 'ya29.', pattern: `ya29\\.${W}{20,}`, sample: ['ya', '29.', LONG] },
  { id: 'google-client', hint: 'GOCSPX-', pattern: `GOCSPX-${W}{20,}`, sample: ['GOC', 'SPX-', MIXED.slice(0, 28)] },
  { id: 'google-refresh', hint: '0', pattern: `1${SLASH}${SLASH}0${W}{20,}`, sample: ['1/', '/0', MIXED] },
  {
    id: 'azure-storage',
    hint: 'AccountKey',
    pattern: `AccountKey${EQUALS}[A-Za-z0-9+/=%]{40,}`,
    sample: ['Account', 'Key=', LONG, '=='],
  },
  { id: 'digitalocean', hint: '_v1_', pattern: `do[opr]_v1_${HEX}{40,}`, sample: ['do', 'p_v1_', HEXES, HEXES] },
  { id: 'databricks', hint: 'dapi', pattern: `dapi${HEX}{32}`, sample: ['da', 'pi', HEXES] },
  { id: 'heroku', hint: 'HRKU-', pattern: `HRKU-${W}{30,}`, sample: ['HR', 'KU-', MIXED] },
  { id: 'vault', hint: 'hvs.', pattern: `hv[bs]\\.${W}{20,}`, sample: ['hv', 's.', MIXED] },
  {
    id: 'terraform',
    hint: '.atlasv1.',
    pattern: `${A}{14}\\.atlasv1\\.${W}{40,}`,
    sample: [MIXED.slice(0, 14), '.atlas', 'v1.', LONG],
  },
  {
    id: 'doppler',
    hint: 'dp.',
    pattern: `dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9_.-]{30,}`,
    sample: ['d', 'p.pt.', MIXED],
  },
  { id: 'onepassword', hint: 'ops_eyJ', pattern: `ops_eyJ${W}{40,}`, sample: ['op', 's_eyJ', LONG] },
  {
    id: 'age',
    hint: 'AGE-SECRET-KEY-',
    pattern: `AGE-SECRET-KEY-1[A-Z0-9]{50,}`,
    sample: ['AGE-SECRET', '-KEY-1', UPPER, UPPER],
  },
  {
    id: 'grafana',
    hint: 'gl',
    pattern: `gl(?:sa|c)_[A-Za-z0-9_+/=]{30,}`,
    sample: ['gl', 'sa_', MIXED.slice(0, 32), '_0f1e2d3c'],
  },
  { id: 'newrelic', hint: 'NRAK-', pattern: `NRAK-[A-Z0-9]{20,}`, sample: ['NR', 'AK-', UPPER.slice(0, 27)] },
  { id: 'sentry', hint: 'sntr', pattern: `sntr(?:ys|yu|ya|yi)_[A-Za-z0-9_=+/-]{30,}`, sample: ['sn', 'trys_', LONG] },
  { id: 'posthog', hint: 'ph', pattern: `ph[cx]_${A}{30,}`, sample: ['ph', 'x_', MIXED] },
  {
    id: 'supabase',
    hint: 'sb',
    pattern: `(?:sbp_${HEX}{40}|sb_secret_${W}{20,})`,
    sample: ['sb', 'p_', HEXES, HEXES.slice(0, 8)],
  },
  {
    id: 'planetscale',
    hint: 'pscale_',
    pattern: `pscale_(?:tkn|pw|oauth)_${W}{30,}`,
    sample: ['psc', 'ale_tkn_', MIXED],
  },
  { id: 'dropbox', hint: 'sl.', pattern: `sl\\.${W}{60,}`, sample: ['s', 'l.', LONG] },
  // payments and mail
  {
    id: 'stripe',
    hint: '_',
    pattern: `(?:sk|rk)_(?:live|test)_${A}{16,}`,
    sample: ['sk', '_live_', MIXED.slice(0, 24)],
  },
  {
    id: 'webhook-signing',
    hint: 'whsec_',
    pattern: `whsec_[A-Za-z0-9+/=]{20,}`,
    sample: ['wh', 'sec_', MIXED.slice(0, 32)],
  },
  { id: 'square', hint: 'sq0', pattern: `sq0(?:atp|csp|idp)-${W}{20,}`, sample: ['sq', '0atp-', MIXED.slice(0, 22)] },
  { id: 'shopify', hint: 'shp', pattern: `shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`, sample: ['sh', 'pat_', HEXES] },
  {
    id: 'sendgrid',
    hint: 'SG.',
    pattern: `SG\\.${W}{16,64}\\.${W}{16,}`,
    sample: ['S', 'G.', MIXED.slice(0, 22), '.', MIXED.slice(0, 43)],
  },
  { id: 'mailgun', hint: 'key-', pattern: `key-${HEX}{32}`, sample: ['ke', 'y-', HEXES] },
  { id: 'mailchimp', hint: '-us', pattern: `${HEX}{32}-us[0-9]{1,2}`, sample: [HEXES, '-u', 's21'] },
  // chat platforms
  {
    id: 'telegram',
    hint: 'A',
    pattern: `(?:bot)?[0-9]{8,12}${COLON}A${W}{32,}`,
    sample: ['bot7012345678', ':', 'AA', MIXED.slice(0, 33)],
  },
  {
    id: 'discord',
    hint: '.',
    pattern: `[MNO]${W}{22,27}\\.${W}{6}\\.${W}{27,}`,
    sample: ['M', MIXED.slice(0, 24), '.Gx1y2Z.', MIXED.slice(0, 38)],
  },
  {
    id: 'discord-webhook',
    hint: 'webhooks',
    pattern: `discord(?:app)?\\.com${SLASH}api${SLASH}webhooks${SLASH}[0-9]{10,25}${SLASH}${W}{40,}`,
    sample: ['discord.com/api/web', 'hooks/1234567890123456/', LONG],
  },
  {
    id: 'slack',
    hint: 'xox',
    pattern: `xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,}`,
    sample: ['xo', 'xb-', '123456789012-', MIXED.slice(0, 24)],
  },
  { id: 'slack-app', hint: 'xapp-', pattern: `xapp-[0-9]-[A-Za-z0-9-]{10,}`, sample: ['xa', 'pp-1-', MIXED] },
  {
    id: 'slack-webhook',
    hint: 'hooks.slack.com',
    pattern: `hooks\\.slack\\.com(?:${SLASH}[A-Za-z0-9_-]{2,40}){3,5}`,
    sample: ['hooks.slack', '.com/services/T0123/B0123/', MIXED.slice(0, 24)],
  },
  { id: 'twilio', hint: 'SK', pattern: `SK${HEX}{32}`, sample: ['S', 'K', HEXES] },
];
