import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { format, inspect } from 'node:util';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { childEnvironment } from './child-environment.ts';
import { parseEnvFile, readEnvFile } from './env-file.ts';
import { setEnvEntry, unsetEnvEntry } from './env-file-edit.ts';
import { isSwitchedOn, variable } from './overrides.ts';
import { processEnvironment } from './process-environment.ts';
import { isHermesCredential, isSecretName, isSecretVariable, isSteeringVariable } from './secret-names.ts';
import { loadSecrets, SecretScope } from './secret-scope.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-env-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const valuesOf = (text: string) => Object.fromEntries(parseEnvFile(text).values);
const scopeOf = (file: Record<string, string>, shell: Record<string, string> = {}) =>
  new SecretScope({ path: '/h/.env', file: new Map(Object.entries(file)), shell });

describe('parseEnvFile', () => {
  test('reads plain, exported, quoted and commented assignments', () => {
    const text = `\uFEFF# keys\r\nexport A=1\r\n  B = two words  # note\nC='it is $raw \\n #1'\nD="line\\nnext \\"q\\" \\\\" # c\nE=\nF=a#b\n`;
    expect(valuesOf(text)).toEqual({
      A: '1',
      B: 'two words',
      C: 'it is $raw \\n #1',
      D: 'line\nnext "q" \\',
      E: '',
      F: 'a#b',
    });
  });

  test('a quoted value may span lines, and line numbers stay right after it', () => {
    const text = 'KEY="-----BEGIN\nTUlJQk93==\n-----END"\nB=2\nB=3\n';
    const file = parseEnvFile(text);
    expect(file.values.get('KEY')).toBe('-----BEGIN\nTUlJQk93==\n-----END');
    expect(file.findings).toEqual([{ kind: 'duplicate', line: 5, message: 'B is set again; this one counts' }]);
  });

  test('a quote that is not closed does not swallow the next key', () => {
    const file = parseEnvFile('A="oops\nB_KEY=2\nC="fine"\n');
    expect(Object.fromEntries(file.values)).toEqual({ A: '"oops', B_KEY: '2', C: 'fine' });
    expect(file.findings).toEqual([{ kind: 'unclosed_quote', line: 1, message: 'the quote of A is not closed' }]);
  });

  test('the last duplicate wins and lines of another form are reported without their text', () => {
    const file = parseEnvFile('A=1\nsk-secret-without-a-name\n9X=1\nA=2');
    expect(file.values.get('A')).toBe('2');
    expect(file.findings.map((finding) => [finding.kind, finding.line])).toEqual([
      ['malformed', 2],
      ['malformed', 3],
      ['duplicate', 4],
    ]);
    expect(JSON.stringify(file.findings)).not.toContain('sk-secret');
  });

  test('whatever value is written is the value that is read, and every other entry stays', () => {
    const names = fc.constantFrom('A', 'B', 'LONG_NAME', 'c');
    const values = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''));
    fc.assert(
      fc.property(fc.array(fc.tuple(names, values)), names, values, (existing, name, value) => {
        let text = '# head\n';
        for (const [key, content] of existing) text = setEnvEntry(text, key, content);
        const before = new Map(parseEnvFile(text).values);
        const after = parseEnvFile(setEnvEntry(text, name, value)).values;
        expect(after).toEqual(new Map([...before, [name, value]]));
        const removed = parseEnvFile(unsetEnvEntry(setEnvEntry(text, name, value), name)).values;
        before.delete(name);
        expect(removed).toEqual(before);
      }),
    );
  });

  test('any text at all is read without an error and without taking long', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseEnvFile(text)));
    const started = performance.now();
    parseEnvFile('A="x\n'.repeat(200_000));
    parseEnvFile(`A='${'x=\n'.repeat(200_000)}`);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe('editing a .env file', () => {
  const text = '# my keys\nA=old\n\nexport B="x" # note\nA=newer\n';

  test('replaces the entry that counts, where it stands, and keeps export', () => {
    expect(setEnvEntry(text, 'A', 'v')).toBe('# my keys\nA=old\n\nexport B="x" # note\nA=v\n');
    expect(setEnvEntry(text, 'B', 'a b')).toBe('# my keys\nA=old\n\nexport B="a b"\nA=newer\n');
  });

  test('adds a new name at the end, also after a last line that is not finished', () => {
    expect(setEnvEntry('A=1', 'B', '2')).toBe('A=1\nB=2\n');
  });

  test('unset removes every assignment of the name and nothing else', () => {
    expect(unsetEnvEntry(text, 'A')).toBe('# my keys\n\nexport B="x" # note\n');
    expect(unsetEnvEntry('A=1', 'A')).toBe('');
  });

  test('refuses a name or value that the file could not hold', () => {
    expect(() => setEnvEntry('', 'A-B', 'x')).toThrow(/cannot be the name/);
    expect(() => setEnvEntry('', 'A', 'x\0')).toThrow(/NUL/);
  });
});

describe('readEnvFile', () => {
  test('a missing file is empty, a directory is reported, and neither throws', async () => {
    expect(readEnvFile(join(folder, 'none'))).toMatchObject({ entries: [], findings: [] });
    expect(readEnvFile(folder).findings).toMatchObject([{ kind: 'unreadable' }]);
  });

  test('bytes that are not UTF-8 are read as Latin-1', async () => {
    await writeFile(join(folder, '.env'), Buffer.from('PASSWORD=caf\xe9\n', 'latin1'));
    const file = readEnvFile(join(folder, '.env'));
    expect(file.values.get('PASSWORD')).toBe('café');
    expect(file.findings).toMatchObject([{ kind: 'encoding' }]);
  });
});

describe('names', () => {
  test.each(
    'OPENAI_API_KEY apiKey api-key x.api.key APIKEY STRIPE_KEY client_secret clientSecret password DB_PASS PGPASSWORD MYSQL_PWD spring.datasource.password accessToken TOKEN_2 SECRET_KEY_BASE authorization Set-Cookie AWS_SECRET_ACCESS_KEY private_key passphrase credentials'.split(
      ' ',
    ),
  )('%s is the name of a credential', (name) => expect(isSecretName(name)).toBe(true));

  test.each(
    'max_tokens tokens token_count key session_key PUBLIC_KEY PRIMARY_KEY nextPageToken page_token eos_token PWD OLDPWD SSH_AUTH_SOCK key_env AWS_ACCESS_KEY_ID monkey author keyboard passenger'.split(
      ' ',
    ),
  )('%s is not', (name) => expect(isSecretName(name)).toBe(false));

  test('config set sends to .env what is in capitals and ends like a credential', () => {
    expect(['OPENAI_API_KEY', 'X_KEY', 'DISCORD_BOT_TOKEN', 'MODAL_TOKEN_ID'].every(isSecretVariable)).toBe(true);
    expect(['openai_api_key', 'FOO_URL', 'model.default', 'KEY'].some(isSecretVariable)).toBe(false);
  });

  test('variables that steer other programs are known', () => {
    expect(['PATH', 'LD_PRELOAD', 'PYTHONPATH', 'HERMES_YOLO_MODE', 'NODE_OPTIONS'].every(isSteeringVariable)).toBe(
      true,
    );
    expect(['HERMES_LANGUAGE', 'PATHS', 'OPENAI_API_KEY'].some(isSteeringVariable)).toBe(false);
  });
});

describe('SecretScope', () => {
  test('an exported variable wins over .env; an empty one does not', () => {
    const scope = scopeOf({ A_KEY: 'file', B_KEY: 'file', C_KEY: '' }, { A_KEY: 'shell', B_KEY: '' });
    expect([scope.get('A_KEY'), scope.get('B_KEY'), scope.get('C_KEY'), scope.get('constructor')]).toEqual([
      'shell',
      'file',
      undefined,
      undefined,
    ]);
  });

  test('a missing secret fails closed and names the key', () => {
    expect(() => scopeOf({}).require('OPENAI_API_KEY')).toThrow(
      expect.objectContaining({ code: 'missing_secret', message: 'OPENAI_API_KEY is not set.' }),
    );
  });

  test('never shows a value, however it is printed', () => {
    const scope = scopeOf({ A_KEY: 'sk-very-secret-value' });
    const shown = [String(scope), JSON.stringify({ scope }), inspect({ scope }), format('%o %s', scope, scope)];
    expect(shown.join()).not.toContain('very-secret');
    expect(String(scope)).toBe('SecretScope(1 secrets)');
  });

  test('masks credentials but neither switches, words, numbers, ids nor paths', () => {
    const scope = scopeOf(
      {
        SMTP_PASS: 'ab-d',
        WORDY_TOKEN: 'true',
        PIN_PASSWORD: '1234',
        FLAG: 'true',
        TERMINAL_CWD: '/home/ada/project',
        USERS: '123456789,987654321',
        SITE: 'https://example.com/a',
        HOOK: 'https://example.com/h?id=Zx81k',
        PLAIN: 'Zx81kQpr77Lm',
      },
      {
        GROQ_API_KEY: 'gsk-from-shell',
        HOME: '/home/ada',
        DISABLE_AUTH: 'true',
        POSTGRES_PASSWORD: 'postgres',
        CI_TOKEN: 'Qr5tUv6wXy7z',
      },
    );
    expect(scope.values().sort()).toEqual([
      'Qr5tUv6wXy7z',
      'Zx81kQpr77Lm',
      'ab-d',
      'gsk-from-shell',
      'https://example.com/h?id=Zx81k',
    ]);
  });

  test('a file value hidden by the shell is masked too, and settings can declare names', () => {
    const scope = scopeOf({ A_KEY: 'from-file' }, { A_KEY: 'from-shell', GATEWAY: 'gate-1' });
    expect(scope.values().sort()).toEqual(['from-file', 'from-shell']);
    expect(scope.declaring(['GATEWAY']).values()).toContain('gate-1');
  });

  test('is read from the file of the profile', async () => {
    await writeFile(join(folder, '.env'), 'A_KEY=1234\nA_KEY=5678\n');
    const { secrets, findings } = loadSecrets({ path: join(folder, '.env'), shell: {} });
    expect(secrets.get('A_KEY')).toBe('5678');
    expect(findings).toMatchObject([{ kind: 'duplicate', line: 2 }]);
  });
});

describe('childEnvironment', () => {
  const env = {
    PATH: '/bin:/usr/bin',
    HOME: '/home/ada',
    LANG: 'C.UTF-8',
    PGPASSWORD: 'theirs',
    ANTHROPIC_API_KEY: 'x1',
    MY_OWN_PROVIDER_API_KEY: 'x2',
    TELEGRAM_BOT_TOKEN: 'x3',
    GH_TOKEN: 'x4',
    FROM_ENV_FILE: 'x5',
    GATEWAY: 'x6',
  };

  test('a real shell sees the user’s variables and none of Hermes’ credentials', async () => {
    const secrets = scopeOf({ FROM_ENV_FILE: 'x', PATH: '/odd' }, env).declaring(['GATEWAY']);
    const child = childEnvironment(env, secrets);
    const { stdout } = await promisify(execFile)('env', [], { env: child });
    expect(stdout.trim().split('\n').sort()).toEqual([
      'HOME=/home/ada',
      'LANG=C.UTF-8',
      'PATH=/bin:/usr/bin',
      'PGPASSWORD=theirs',
    ]);
  });

  test('every registered credential and every API key is held back', () => {
    expect(
      ['HF_TOKEN', 'SLACK_APP_TOKEN', 'SUDO_PASSWORD', 'ANY_API_KEY', 'NEW_APIKEY'].every(isHermesCredential),
    ).toBe(true);
  });
});

describe('process environment', () => {
  test('is a copy: changing it changes nothing outside', () => {
    expect(processEnvironment()).toEqual({ ...process.env });
    expect(processEnvironment()).not.toBe(processEnvironment());
  });

  test('empty and inherited names are unset; switches take the usual words', () => {
    expect(variable({ A: '' }, 'A')).toBeUndefined();
    expect(variable({}, 'toString')).toBeUndefined();
    expect(['1', 'true', 'YES', ' on '].every((value) => isSwitchedOn({ A: value }, 'A'))).toBe(true);
    expect(['0', '', 'no'].some((value) => isSwitchedOn({ A: value }, 'A'))).toBe(false);
  });
});
