import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { SecretScope } from '../environment/secret-scope.ts';
import { ensureHome } from '../home/ensure-home.ts';
import { buildCatalog, listKeys } from './catalog.ts';
import { checkText } from './check-text.ts';
import { DEFAULT_CONFIG } from './config.ts';
import { SCHEMA_FINGERPRINT } from './config-cache.ts';
import { type LoadConfigOptions, loadConfig } from './load-config.ts';
import { configSchema, keyInfo } from './schema.ts';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-config-'));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

const secretsOf = (file: Record<string, string> = {}, shell: Record<string, string> = {}) =>
  new SecretScope({ path: join(home, '.env'), file: new Map(Object.entries(file)), shell });
const write = (text: string) => writeFile(join(home, 'config.yaml'), text);
const load = (more: Partial<LoadConfigOptions> = {}) => loadConfig({ home, secrets: secretsOf(), env: {}, ...more });
async function loadText(text: string, more: Partial<LoadConfigOptions> = {}) {
  await write(text);
  return load(more);
}
const backups = () => {
  const directory = join(home, 'backups/config');
  return existsSync(directory) ? readdirSync(directory).sort() : [];
};

describe('the schema', () => {
  test('has the built-in defaults and a line and an effect for every key', () => {
    expect(configSchema.parse({})).toEqual(DEFAULT_CONFIG);
    const keys = listKeys(buildCatalog());
    expect(keys.length).toBeGreaterThanOrEqual(25);
    for (const { path, leaf } of keys) {
      expect([path, leaf.info.description.length > 5, leaf.info.description.includes('\n')]).toEqual([
        path,
        true,
        false,
      ]);
    }
    expect(keys.find(({ path }) => path.join('.') === 'terminal.timeout')?.leaf).toMatchObject({
      default: 180,
      info: { effect: 'next_turn' },
    });
  });

  test('the fingerprint of the cache is that of the schema', () => {
    const infos = listKeys(buildCatalog()).map(({ path, leaf }) => [path, leaf.info]);
    const shape = JSON.stringify([
      z.toJSONSchema(configSchema, { io: 'input', metadata: keyInfo }),
      infos,
      DEFAULT_CONFIG,
    ]);
    expect(SCHEMA_FINGERPRINT).toBe(hash('sha256', shape).slice(0, 12));
  });
});

describe('loadConfig', () => {
  test('no file, a fresh home and a file of comments give frozen defaults and leave no trace', async () => {
    expect(await load()).toMatchObject({ config: DEFAULT_CONFIG, warnings: [], source: { kind: 'defaults' } });
    await ensureHome({ root: home, home, profile: 'default' });
    const { config, warnings, source } = await load();
    expect([config, warnings, source.kind]).toEqual([DEFAULT_CONFIG, [], 'defaults']);
    expect(Object.isFrozen(config) && Object.isFrozen(config.terminal)).toBe(true);
    expect(Object.isFrozen(DEFAULT_CONFIG.terminal)).toBe(false);
    expect(readdirSync(home).sort()).toEqual(['.env', 'SOUL.md', 'config.yaml']);
  });

  test('written leaves replace defaults one by one', async () => {
    const { config, warnings, source } = await loadText(
      'terminal:\n  timeout: 20\ndisplay: {language: zh}\nlogging:\n',
    );
    expect(config).toEqual({
      ...DEFAULT_CONFIG,
      terminal: { timeout: 20, cwd: '.' },
      display: { ...DEFAULT_CONFIG.display, language: 'zh' },
    });
    expect([warnings, source]).toEqual([[], { kind: 'file', path: join(home, 'config.yaml') }]);
  });

  test('a bare model is the default model, and providers get their own defaults', async () => {
    const { config } = await loadText(
      'model: gpt-x\nproviders:\n  lab:\n    base_url: http://127.0.0.1:1\n    models:\n      m-4.1: {context_length: 8000}\n  bare:\n',
    );
    expect(config.model).toEqual({ ...DEFAULT_CONFIG.model, default: 'gpt-x' });
    expect(config.providers['lab']).toEqual({
      base_url: 'http://127.0.0.1:1',
      api_mode: 'auto',
      key_env: '',
      enabled: true,
      request_timeout_seconds: null,
      models: { 'm-4.1': { context_length: 8000 } },
    });
    expect(config.providers['bare']?.enabled).toBe(true);
  });

  test('files of older YAML readers load: yes and no, other capitals, aliases, merge keys, doubled keys', async () => {
    const { config, warnings } = await loadText(
      'base: &b {timeout: 5}\nterminal:\n  <<: *b\nmemory:\n  memory_enabled: no\n  memory_enabled: yes\nlogging: {level: warning}\nagent: {max_turns: unlimited}\nmodel: {default: 4, api_base: http://x}\n',
    );
    expect(config.terminal.timeout).toBe(5);
    expect(config.memory.memory_enabled).toBe(true);
    expect(config.logging.level).toBe('WARN');
    expect(config.agent.max_turns).toBe(0);
    expect(config.model).toMatchObject({ default: '4', base_url: 'http://x' });
    expect(warnings.map((warning) => warning.kind).sort()).toEqual(['alias', 'duplicate_key', 'unknown_key']);
  });

  test('a wrong type costs that leaf only, and the warning names path, found and expected', async () => {
    const { config, warnings } = await loadText(
      'terminal:\n  timeout: soon\n  cwd: /srv\ndisplay:\n  interface: gui\nagent: 5\nmemory:\n  memory_char_limit: -3\nproviders:\n  a: {enabled: maybe, base_url: http://a}\n',
    );
    expect(config).toEqual({
      ...DEFAULT_CONFIG,
      terminal: { timeout: 180, cwd: '/srv' },
      providers: { a: expect.objectContaining({ enabled: true, base_url: 'http://a' }) },
    });
    expect(warnings.map((warning) => warning.message)).toEqual([
      'terminal.timeout: found "soon", expected a number from 1. The default is used.',
      'display.interface: found "gui", expected one of tui, cli. The default is used.',
      'agent: found 5, expected a section of its own keys. The default is used.',
      'memory.memory_char_limit: found -3, expected a whole number from 1. The default is used.',
      'providers.a.enabled: found "maybe", expected true or false. The default is used.',
    ]);
  });

  test('unknown keys are reported with the nearest known one, once for a whole section', async () => {
    const { warnings } = await loadText(
      'mdoel:\n  default: x\nmax_turns: 5\ncompression: {enabled: true, threshold: 0.5}\ndisplay: {langauge: en}\n_config_version: 45\n',
    );
    expect(warnings.map((warning) => [warning.key, /Did you mean (.*)\?/.exec(warning.message)?.[1]])).toEqual([
      ['mdoel', 'model'],
      ['max_turns', 'agent.max_turns'],
      ['compression', undefined],
      ['display.langauge', 'display.language'],
    ]);
  });

  test('a file of a newer program is read with a warning', async () => {
    const { config, warnings } = await loadText('_config_version: 99\nterminal: {timeout: 7}\n');
    expect([config.terminal.timeout, warnings.map((warning) => warning.kind)]).toEqual([7, ['newer_version']]);
  });

  test('no text at all makes it throw', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.json(),
          fc.constantFrom(
            '- a',
            '{a',
            '*x',
            '__proto__: {a: 1}',
            'providers: {__proto__: {}}',
            'model: [1]',
            '? {a: b}\n: c',
          ),
        ),
        async (text) => {
          const { config } = await loadText(text);
          expect(Object.keys(config)).toEqual(Object.keys(DEFAULT_CONFIG));
          expect(Object.getPrototypeOf(config.providers)).toBe(Object.prototype);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('precedence', () => {
  test('flags beat environment beat file beat defaults, leaf by leaf', async () => {
    await write('model: {default: from-file, provider: p}\ndisplay: {language: ja, interface: cli}\n');
    const env = { HERMES_INFERENCE_MODEL: 'from-env', HERMES_LANGUAGE: 'ZH', HERMES_TUI: '1' };
    const { config } = await load({ env, flags: { display: { language: 'en' } } });
    expect(config.model).toMatchObject({ default: 'from-env', provider: 'p' });
    expect(config.display).toMatchObject({ language: 'en', interface: 'tui' });
    expect((await load({ env })).config.display.language).toBe('zh');
    expect((await load({ flags: { model: { default: 'flag' } }, env })).config.model.default).toBe('flag');
  });

  test('an unknown HERMES_LANGUAGE means English and says so; other variables change nothing', async () => {
    const { config, warnings } = await load({
      env: { HERMES_LANGUAGE: 'xx', TERMINAL_TIMEOUT: '5', HERMES_MODEL: 'm' },
    });
    expect(config).toEqual({ ...DEFAULT_CONFIG, display: { ...DEFAULT_CONFIG.display, language: 'en' } });
    expect(warnings).toMatchObject([{ kind: 'environment' }]);
  });
});

describe('references', () => {
  test('are replaced in values, several in one, from the profile’s secrets only, and not twice', async () => {
    const secrets = secretsOf({ HOST: 'h', PORT: '1', NEST: '${HOST}' });
    const text =
      'model:\n  base_url: http://${HOST}:${env:PORT}/${NEST}\n  default: $HOST\nproviders:\n  "${HOST}": {base_url: "${HOST}"}\n';
    const { config, warnings } = await loadText(text, { secrets, env: { OTHER: 'x' } });
    expect(config.model).toMatchObject({ base_url: 'http://h:1/${HOST}', default: '$HOST' });
    expect(config.providers['${HOST}']?.base_url).toBe('h');
    expect(warnings).toEqual([]);
  });

  test('one that is not set, or of another form, stays and warns once', async () => {
    const text = 'model: {base_url: "${NONE}/${NONE}", default: "${file:/etc/passwd}", provider: "${constructor}"}\n';
    const { config, warnings } = await loadText(text);
    expect(config.model).toMatchObject({ base_url: '${NONE}/${NONE}', default: '${file:/etc/passwd}' });
    expect(warnings.map((warning) => warning.message)).toEqual([
      'model.default: ${file:/etc/passwd} is not a reference Hermes knows; it stays as it is written.',
      'model.provider: ${constructor} is not set; it stays as it is written.',
      'model.base_url: ${NONE} is not set; it stays as it is written.',
    ]);
  });

  test('a changed secret counts at the next load although the file is the same', async () => {
    await write('model: {base_url: "${HOST}"}\n');
    expect((await load({ secrets: secretsOf({ HOST: 'one' }) })).config.model.base_url).toBe('one');
    expect((await load({ secrets: secretsOf({ HOST: 'two' }) })).config.model.base_url).toBe('two');
  });
});

describe('T33: a broken file', () => {
  const broken = 'terminal:\n  timeout: 20\n cwd: "x\n';

  test('the last good values are served from memory, with line and column, and the bytes stay', async () => {
    const good = await loadText('terminal: {timeout: 20}\n');
    const { config, broken: fault, source, warnings } = await loadText(broken, { previous: good });
    expect(config.terminal.timeout).toBe(20);
    expect(source.kind).toBe('previous');
    expect(fault).toMatchObject({ path: join(home, 'config.yaml'), line: 3, column: expect.any(Number) });
    expect(warnings[0]).toMatchObject({ kind: 'broken' });
    expect(warnings[0]?.message).toMatch(
      /config\.yaml is broken at line 3, column \d+: .+ In use: the settings from before/,
    );
    expect(await readFile(join(home, 'config.yaml'), 'utf8')).toBe(broken);
  });

  test('after a restart the newest good copy is served, then the defaults', async () => {
    expect((await loadText(broken)).source.kind).toBe('defaults');
    await loadText('terminal: {timeout: 20}\n');
    await loadText('terminal: {timeout: 30}\n');
    const again = await loadText(broken);
    expect(again.config.terminal.timeout).toBe(30);
    expect(again.source).toMatchObject({ kind: 'backup', path: expect.stringContaining('config.yaml.good.') });
    expect((await loadText(broken)).broken?.line).toBe(3);
  });

  test('one copy of the broken text is kept, and five good ones at most', async () => {
    for (let i = 0; i < 8; i++) {
      await write(`terminal: {timeout: ${i + 1}}\n`);
      await utimes(join(home, 'config.yaml'), 1_700_000_000 + i, 1_700_000_000 + i);
      await load();
    }
    await loadText(broken);
    await loadText(broken);
    const names = backups();
    expect(names.filter((name) => name.includes('.good.'))).toHaveLength(5);
    expect(names.filter((name) => name.includes('.corrupt.'))).toHaveLength(1);
    expect((await stat(join(home, 'backups/config', names[0] ?? ''))).mode & 0o777).toBe(0o600);
    expect((await load()).config.terminal.timeout).toBe(8);
  });

  test.each([
    ['a list at the top', '- a\n- b\n', 1, 1],
    ['an alias of nothing', 'a: 1\nb: *nope\n', 2, 4],
    ['a tab as indentation', 'a:\n\tb: 1\n', 2, 1],
    ['a bracket that is not closed', 'a: [1,\nb: 2\n', 2, 1],
  ])('%s is named with its place', async (_what, text, line, column) => {
    expect((await loadText(text)).broken).toMatchObject({ line, column });
  });

  test('a billion laughs is a broken file, not a crash', async () => {
    const levels = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(10)}]`).join('\n');
    expect((await loadText(`l0: &l0 x\n${levels}\n`)).broken?.message).toMatch(/alias/i);
  });

  test('a file that cannot be read behaves like a broken one', async () => {
    await mkdir(join(home, 'config.yaml'));
    const { source, broken: fault, warnings } = await load();
    expect([source.kind, fault?.line, warnings[0]?.kind]).toEqual(['defaults', 0, 'unreadable']);
  });
});

describe('the cache of the checked form', () => {
  const path = () => join(home, 'cache/config.yaml.json');

  test('gives the same result as reading the file, holds no text of it, and is private', async () => {
    const text = '# note\nunknown: {api_key: hidden-value}\nterminal: {timeout: 9, cwd: 7, x: y}\n';
    const first = await loadText(text);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(await readFile(path(), 'utf8')).not.toContain('hidden-value');
    expect(await load()).toEqual(first);
    expect(first.warnings).toHaveLength(2);
  });

  test('is used only for exactly this text and this schema, and only when it has the right shape', async () => {
    await loadText('terminal: {timeout: 9}\n');
    const entry: unknown = JSON.parse(await readFile(path(), 'utf8'));
    const forged = (change: object) => writeFile(path(), JSON.stringify(Object.assign({}, entry, change)));
    await forged({ values: { ...DEFAULT_CONFIG, terminal: { timeout: 77, cwd: '.' } } });
    expect((await load()).config.terminal.timeout).toBe(77);
    for (const change of [{ key: 'other' }, { values: { terminal: {} } }, { warnings: 5 }, { values: [] }]) {
      await forged(change);
      expect((await load()).config.terminal.timeout).toBe(9);
    }
    await writeFile(path(), '{"cut');
    expect((await load()).config.terminal.timeout).toBe(9);
    expect((await loadText('terminal: {timeout: 9} # note\n')).config.terminal.timeout).toBe(9);
  });

  test('a home that takes no files loads all the same', async () => {
    await writeFile(join(home, 'cache'), '');
    await writeFile(join(home, 'backups'), '');
    expect((await loadText('terminal: {timeout: 9}\n')).config.terminal.timeout).toBe(9);
  });
});

test('checking the same text twice gives equal results', () => {
  const text = 'terminal: {timeout: x}\nfoo: 1\n';
  expect(checkText(text)).toEqual(checkText(text));
});
