import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMasked, mask } from './mask.ts';
import { createRedactor, redact, redactionSelfTest } from './redact.ts';
import { TOKEN_SHAPES } from './token-shapes.ts';

/** Longest run of the planted text that may survive: what the mask itself shows. */
const SHOWN = 6;

function survives(planted: string, redacted: string): boolean {
  for (let at = 0; at + SHOWN < planted.length; at++) {
    if (redacted.includes(planted.slice(at, at + SHOWN + 1))) return true;
  }
  return false;
}

const samples = TOKEN_SHAPES.map((shape) => [shape.id, shape.sample.join('')] as const);

/** Credentials that are recognised by their surroundings: the text and the part that must be gone. */
const surrounded: readonly (readonly [what: string, text: string, planted: string])[] = [
  ['a bearer header', 'Authorization: Bearer Zk81-opaque.value', 'Zk81-opaque.value'],
  ['a basic header in JSON', '{"authorization":"Basic dXNlcjpodW50ZXIy"}', 'dXNlcjpodW50ZXIy'],
  ['a header with another scheme', "curl -H 'Authorization: Hawk a81kzz9920sk'", 'a81kzz9920sk'],
  ['a header in escaped JSON', '{\\"Authorization\\": \\"Bearer k3yk3yk3y\\"}', 'k3yk3yk3y'],
  ['a bearer token in prose', 'sent bearer A1b2C3d4E5f6G7h8I9 to it', 'A1b2C3d4E5f6G7h8I9'],
  ['a key header', 'X-Api-Key: a1b2c3d4e5', 'a1b2c3d4e5'],
  ['a cookie', 'Cookie: sid=Zx81kq; theme=dark', 'sid=Zx81kq; theme=dark'],
  ['a set-cookie', 'set-cookie: session=Qq71Zx81kq; Path=/', 'Qq71Zx81kq'],
  ['a database URL', 'postgres://app:p@ss-w0rd@db.internal:5432/main', 'p@ss-w0rd'],
  ['a URL without a user', 'redis://:s3cr3tpw@cache:6379', 's3cr3tpw'],
  ['a URL with only a token', 'https://abcdef0123456789abcdef01@git.example.com/x.git', 'abcdef0123456789abcdef01'],
  ['a query parameter', 'GET /v1?user=ada&api_key=zz81kk22&x=1', 'zz81kk22'],
  ['a fragment', 'https://x.example/#access_token=Zx81kq&state=1', 'Zx81kq'],
  ['a signed link', 'https://s3.example/a?X-Amz-Signature=0f1e2d3c4b5a6978', '0f1e2d3c4b5a6978'],
  ['a command-line flag', 'mycli --token hunter2hunter --verbose', 'hunter2hunter'],
  ['a command-line flag with =', 'mycli --db-password=swordfish', 'swordfish'],
  ['a shell assignment', 'export MY_SERVICE_TOKEN=abcdef', 'abcdef'],
  ['a .env line', 'DB_PASSWORD=correct-horse', 'correct-horse'],
  ['a quoted assignment', 'const apiKey = "abcd-efgh-ijkl";', 'abcd-efgh-ijkl'],
  ['JSON', '{"client_secret": "s8s8s8s8", "id": 5}', 's8s8s8s8'],
  ['JSON inside JSON', '{"body":"{\\"password\\":\\"p8p8p8p8\\"}"}', 'p8p8p8p8'],
  ['YAML', 'db:\n  password: swordfish\n  port: 5432\n', 'swordfish'],
  ['INI', 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPx', 'wJalrXUtnFEMI/K7MDENG/bPx'],
  [
    'a JSON web token',
    'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl ok',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  ],
  ['a PEM key', pem('RSA ', '\n'), 'MIIEowIBAAKCAQEAq7Rt2LmX9v'],
  ['a PEM key on one line', `"private_key": "${pem('', '\\n')}"`, 'MIIEowIBAAKCAQEAq7Rt2LmX9v'],
  ['a PEM key cut off', pem('EC ', '\n').slice(0, 80), 'MIIEowIBAAKCAQEAq7Rt2LmX9v'],
  [
    'an encrypted PEM key',
    pem('RSA ', '\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n'),
    'MIIEowIBAAKCAQEAq7Rt2LmX9v',
  ],
];

function pem(kind: string, lineEnd: string): string {
  const dashes = '-'.repeat(5);
  const body = 'MIIEowIBAAKCAQEAq7Rt2LmX9v';
  return `${dashes}BEGIN ${kind}PRIVATE KEY${dashes}${lineEnd}${body}${lineEnd.slice(0, 2)}${body}==${lineEnd.slice(0, 2)}${dashes}END ${kind}PRIVATE KEY${dashes}`;
}

describe('mask', () => {
  test('shorter than 18 is hidden whole, longer shows 6 and 4', () => {
    expect(mask('x'.repeat(17))).toBe('***');
    expect(mask('abcdefghijklmnopqr')).toBe('abcdef...opqr');
  });

  test('ends that could read as syntax are not shown', () => {
    expect(mask('key=aaaaaaaaaaaaaaaaaaaaa')).toBe('***');
    expect(mask('aaaaaaaaaaaaaaaaaaaaa/=')).toBe('***');
  });

  test('a masked text stays what it is', () => {
    expect(mask(mask('abcdefghijklmnopqr'))).toBe('abcdef...opqr');
    expect(isMasked('***')).toBe(true);
    expect(isMasked('abc...def')).toBe(false);
  });
});

describe('T39: planted token shapes do not survive', () => {
  test('there are more than sixty of them, each with a name of its own', () => {
    expect(new Set(samples.map(([id]) => id)).size).toBeGreaterThan(60);
  });

  test.each(samples)('%s', (_id, token) => {
    const places = [
      `the key is ${token} as shown`,
      `https://example.com/path?q=${encodeURIComponent(token)}&x=1`,
      `{"message":"got ${token}"}`,
      `model.note: ${token}`,
      `"${token}"`,
      `line\n${token}\nline`,
    ];
    for (const place of places) {
      const once = redact(place);
      expect(survives(token, once)).toBe(false);
      expect(redact(once)).toBe(once);
    }
  });

  test.each(surrounded)('%s', (_what, text, planted) => {
    const once = redact(text);
    expect(once).not.toBe(text);
    expect(survives(planted, once) || once.includes(planted)).toBe(false);
    expect(redact(once)).toBe(once);
  });

  test('exact values of loaded secrets, also inside URLs and JSON', () => {
    const secrets = ['p"q\\r st', 'häß?&lich', 'tiny', 'abc'];
    const text = `${secrets.join(' ')} ${encodeURIComponent('häß?&lich')} ${JSON.stringify(secrets)}`;
    const redacted = redact(text, secrets);
    expect(redacted).toBe(`*** *** *** abc *** ["***","***","***","abc"]`);
  });

  test('the self-test passes, and names what an idle redactor lets through', () => {
    expect(redactionSelfTest()).toEqual([]);
    expect(redactionSelfTest((text) => text)).toHaveLength(TOKEN_SHAPES.length);
  });
});

describe('redaction leaves alone', () => {
  test.each([
    'const token = await getToken();',
    'interface A { token: string; password: string; apiKey?: string }',
    '  token: AccessToken\n  secret: string\n',
    'api_key = os.environ["OPENAI_API_KEY"]',
    'apiKey: process.env.OPENAI_API_KEY,',
    'headers: { Authorization: `Bearer ${token}` }',
    "authorization: headers.get('authorization')",
    'if (token === other) return; for (const key of keys) {}',
    'password = user_password\n',
    'API_KEY=$OTHER_KEY TOKEN=<token> SECRET=${X} PASSWORD={{ pw }}',
    'max_tokens: 4096, total_tokens=12345 tokenizer: gpt2 next_token: abc123def',
    'https://example.com:8080/a@b?page=2&key=name&code=200',
    'ssh://git@github.com/x/y.git and mailto:ada@example.com',
    'a mention of -----BEGIN PRIVATE KEY----- in the text of a program',
    'docker run --env-file .env --token-file /run/x --password $PW image',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b, sk-short, AKIA, ghp_',
    'cookie: CookieOptions and the cookie jar: none',
    '{"password": "", "token": null, "secret": "***", "hint": "Enter your password"}',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('redaction as a whole', () => {
  const fragments = fc.oneof(
    fc.constantFrom(...samples.map(([, token]) => token)),
    fc.constantFrom(...surrounded.map(([, text]) => text)),
    fc.constantFrom(
      'api_key',
      'TOKEN',
      '=',
      ': ',
      '"',
      "'",
      '\\',
      '\n',
      ' ',
      '***',
      '...',
      'sk-',
      'eyJ',
      '.',
      '-',
      '--token ',
      '://',
      '@',
      ':',
      '?key=',
      'Cookie: a=',
      'bearer ',
    ),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/),
  );
  const texts = fc.array(fragments, { maxLength: 12 }).map((parts) => parts.join(''));

  test('doing it twice changes nothing, whatever the text and the secrets', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.string({ minLength: 4 }), { maxLength: 4 }), (text, secrets) => {
        const redactor = createRedactor(secrets);
        const once = redactor(text);
        expect(redactor(once)).toBe(once);
      }),
      { numRuns: 400 },
    );
  });

  test('no exact secret is left, unless a mask happens to show it', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9+/=]{12,40}$/);
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), texts, (secrets, text) => {
        const redacted = createRedactor(secrets)(secrets.join(text) + text);
        for (const value of secrets) expect(redacted).not.toContain(value);
      }),
    );
  });

  test('takes time in proportion to the text, also on text made to be slow', () => {
    const size = 150_000;
    const nasty = [
      'a',
      'a.',
      'a-',
      '-',
      '--',
      'sk-',
      'eyJ',
      'eyJa.',
      '://',
      '://a:',
      'token=',
      'token="',
      'token=\\"',
      '-----BEGIN PRIVATE KEY-----\n',
      'authorization: ',
      'cookie: a=',
      'bearer ',
      '?token=',
      '0',
      '0:',
      'A',
      'M',
      'SG.a.',
      '"',
      '\\',
      ' ',
      '=',
      'key: a\n',
    ];
    for (const piece of nasty) {
      const text = piece.repeat(Math.ceil(size / piece.length));
      const started = performance.now();
      redact(text, ['sk-exact-value', 'aaaaab']);
      expect([piece, performance.now() - started < 15_000]).toEqual([piece, true]);
    }
  });
});
