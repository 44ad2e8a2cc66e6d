import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSecrets } from '../environment/secret-scope.ts';
import { ExitCode } from '../errors/exit-code.ts';
import { TOKEN_SHAPES } from '../logging/token-shapes.ts';
import { type ConfigSetOptions, configSet, configUnset } from './change-config.ts';
import { formatDottedName, resolveIn, splitDottedName, valueIn } from './dotted-name.ts';
import { setInYaml, unsetInYaml } from './edit-yaml.ts';
import { configGet } from './get-config.ts';
import { loadConfig } from './load-config.ts';
import { readYaml } from './yaml-text.ts';

let home = '';
let file = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-set-'));
  file = join(home, 'config.yaml');
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

const write = (text: string) => writeFile(file, text);
const text = () => readFile(file, 'utf8');
const set = (name: string, value: string, more: Partial<ConfigSetOptions> = {}) =>
  configSet({ home, name, value, ...more });
const unset = (name: string) => configUnset({ home, name });
async function get(name: string) {
  const { secrets } = loadSecrets({ path: join(home, '.env'), shell: {} });
  const loaded = await loadConfig({ home, secrets, env: {} });
  return configGet({ home, name, loaded, secrets });
}

/** A file with everything people do to them. */
const LIVED_IN = `# my settings

model:            # aligned
  default: "gpt-x"   # quoted
  provider: lab

# providers I use
providers:
  lab:
    base_url: 'http://127.0.0.1:8080/v1'
    models: {m-4.1: {context_length: 8000}, "odd name": {}}


terminal:
    timeout:   90     # four spaces here
    cwd: .
custom:
- keep
- [a,  b]
note: >
  folded
  text

# the end
`;

describe('T32: config set', () => {
  test('a value outside an enum is refused with the allowed ones, and nothing is written', async () => {
    await write(LIVED_IN);
    await expect(set('display.busy_input_mode', 'off-typo')).rejects.toMatchObject({
      code: 'bad_value',
      exitCode: ExitCode.usage,
      message: 'display.busy_input_mode cannot be "off-typo": it takes one of auto, queue, steer.',
    });
    expect(await text()).toBe(LIVED_IN);
  });

  test('a mistyped key is saved with the right one suggested; strict refuses it with 78', async () => {
    await write(LIVED_IN);
    const { warnings, effect } = await set('mdoel.default', 'x');
    expect(warnings).toMatchObject([
      { kind: 'unknown_key', message: expect.stringContaining('Did you mean model.default?') },
    ]);
    expect(effect).toBeUndefined();
    expect(await text()).toBe(`${LIVED_IN}mdoel:\n  default: x\n`);
    await expect(set('mdoel.x', 'y', { strict: true })).rejects.toMatchObject({
      code: 'unknown_key',
      exitCode: ExitCode.config,
    });
  });

  test('comments, order, spacing and every other byte stay', async () => {
    await write(LIVED_IN);
    await set('terminal.timeout', '20');
    await set('model.default', 'gpt-y');
    await set('model.context_length', '9000');
    await set('providers.lab.base_url', 'http://h/v1');
    await set('display.language', 'ZH');
    const expected = LIVED_IN.replace('timeout:   90', 'timeout:   20')
      .replace('"gpt-x"', '"gpt-y"')
      .replace('provider: lab\n', 'provider: lab\n  context_length: 9000\n')
      .replace("'http://127.0.0.1:8080/v1'", "'http://h/v1'")
      .concat('display:\n  language: zh\n');
    expect(await text()).toBe(expected);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('a credential goes to .env only, private, and its echo is masked', async () => {
    await write(LIVED_IN);
    const change = await set('OPENAI_API_KEY', 'sk-0123456789abcdefghij');
    expect(change).toMatchObject({
      file: join(home, '.env'),
      shown: 'sk-012...ghij',
      changed: true,
      effect: 'restart',
    });
    expect(await set('OPENAI_API_KEY', 'v')).toMatchObject({ shown: '***' });
    expect(await readFile(join(home, '.env'), 'utf8')).toBe('OPENAI_API_KEY=v\n');
    expect((await stat(join(home, '.env'))).mode & 0o777).toBe(0o600);
    expect(await text()).toBe(LIVED_IN);
    expect((await readdir(home)).sort()).toEqual(['.env', 'config.yaml']);
  });
});

describe('T39: the echo of config set', () => {
  test('masks credential-shaped values and values of keys that hold credentials', async () => {
    for (const { sample } of TOKEN_SHAPES.slice(0, 5)) {
      expect((await set('custom.note', sample.join(''))).shown).not.toContain(sample.join(''));
    }
    expect((await set('custom.api_key', 'hunter2')).shown).toBe('***');
    expect((await get('custom.api_key')).shown).toBe('***');
  });
});

describe('values', () => {
  test.each([
    ['memory.memory_enabled', 'off', 'memory_enabled: false'],
    ['memory.memory_enabled', 'YES', 'memory_enabled: true'],
    ['model.default', 'off', 'default: "off"'],
    ['model.default', 'null', 'default: "null"'],
    ['model.default', '4.10', 'default: "4.10"'],
    ['model.context_length', 'none', 'context_length: null'],
    ['model.context_length', '8000', 'context_length: 8000'],
    ['terminal.timeout', '2.5', 'timeout: 2.5'],
    ['agent.max_turns', 'unlimited', 'max_turns: unlimited'],
    ['agent.max_turns', '-1', 'max_turns: -1'],
    ['agent.max_turns', '~', 'max_turns: null'],
    ['logging.level', 'warning', 'level: WARN'],
    ['custom.big', '12345678901234567890', 'big: "12345678901234567890"'],
    ['custom.version', '1.10', 'version: "1.10"'],
    ['custom.count', '42', 'count: 42'],
    ['custom.word', 'off', 'word: "off"'],
    ['custom.flag', 'true', 'flag: true'],
    ['custom.list', '[a, 2]', 'list:\n    - a\n    - 2'],
    ['custom.map', '{a: {b: 1}}', 'map:\n    a:\n      b: 1'],
    ['custom.lines', 'a\nb', 'lines: |-\n    a\n    b'],
    ['custom.odd', ' # x: ', 'odd: " # x: "'],
  ])('%s %s is stored as %s', async (name, value, line) => {
    await set(name, value);
    expect(await text()).toBe(`${name.split('.')[0]}:\n  ${line}\n`);
    await loadConfig({ home, secrets: loadSecrets({ path: '', shell: {} }).secrets, env: {} });
  });

  test.each([
    ['terminal.timeout', 'soon', 'a number from 1'],
    ['terminal.timeout', '0', 'a number from 1'],
    ['terminal.timeout', 'null', 'a number from 1'],
    ['agent.api_max_retries', '1.5', 'a whole number from 0'],
    ['agent.max_turns', '-2', 'a whole number from 0 or null'],
    ['memory.memory_enabled', 'maybe', 'true or false'],
    ['providers.lab.api_mode', 'smtp', 'one of auto, chat_completions'],
  ])('%s %s is refused', async (name, value, expected) => {
    await expect(set(name, value)).rejects.toThrow(`it takes ${expected}`);
    expect(existsSync(file)).toBe(false);
  });

  test('a bracket that is no list is refused with a way to write it', async () => {
    await expect(set('custom.x', '[a')).rejects.toMatchObject({ code: 'bad_value', exitCode: ExitCode.usage });
  });
});

describe('keys', () => {
  test('a section is not replaced by a value; the message lists its keys', async () => {
    await expect(set('terminal', '5')).rejects.toMatchObject({
      code: 'is_a_section',
      exitCode: ExitCode.usage,
      hints: ['Set one of: terminal.timeout, terminal.cwd', 'Use --force to replace the whole section.'],
    });
    await write('custom: {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9}\n');
    await expect(set('custom', 'x')).rejects.toMatchObject({
      hints: [expect.stringMatching(/custom\.h, \.\.\.$/), expect.anything()],
    });
    await set('custom', 'x', { force: true });
    expect(await text()).toBe('custom: x\n');
    await expect(set('custom.a', '1')).rejects.toMatchObject({ code: 'not_a_section' });
    await set('custom.a', '1', { force: true });
    expect(await text()).toBe('custom:\n  a: 1\n');
  });

  test('a section may be given as a map, right in all its keys', async () => {
    await set('terminal', '{timeout: 5}');
    expect(await text()).toBe('terminal:\n  timeout: 5\n');
    await expect(set('terminal', '{timeout: never}')).rejects.toThrow('expected a number from 1. Nothing was changed.');
    expect(await text()).toBe('terminal:\n  timeout: 5\n');
  });

  test('model alone is model.default, also where the file has it as one word', async () => {
    await set('model', 'a');
    expect(await text()).toBe('model:\n  default: a\n');
    await write('model: a # mine\nterminal: {}\n');
    await set('model', 'b');
    expect(await text()).toBe('model: b # mine\nterminal: {}\n');
    const { notes } = await set('model.provider', 'lab');
    expect(notes).toEqual(['model became a section; model.default is b.']);
    expect(await text()).toBe('model:\n  default: b\n  provider: lab\nterminal: {}\n');
    expect((await get('model')).value).toBe('b');
  });

  test('former names are rewritten with a note', async () => {
    const { key, notes } = await set('providers.lab.api_base', 'http://h');
    expect([key, notes]).toEqual([
      'providers.lab.base_url',
      ['providers.lab.api_base is now called providers.lab.base_url.'],
    ]);
  });

  test('a key with a dot in its name is found as it is; a new one needs the backslash', async () => {
    await write(LIVED_IN);
    await set('providers.lab.models.m-4.1.context_length', '16000');
    expect(await text()).toBe(LIVED_IN.replace('8000', '16000'));
    await expect(set('providers.lab.models.m-4.2.context_length', '1')).rejects.toMatchObject({
      code: 'shadows_dotted_key',
      hints: [String.raw`If the dot belongs to the name, write: providers.lab.models.m-4\.2.context_length`],
    });
    await set(String.raw`providers.lab.models.m-4\.2.context_length`, '1');
    expect((await get('providers.lab.models.m-4.2.context_length')).value).toBe(1);
  });

  test.each(['', '.', 'a..b', 'a.', '.a'])('%j has an empty part', async (name) => {
    await expect(set(name, 'x')).rejects.toMatchObject({ code: 'empty_key', exitCode: ExitCode.usage });
  });

  test.each(['PATH', 'LD_PRELOAD', 'HERMES_YOLO_MODE', 'PYTHONPATH', 'NODE_OPTIONS'])(
    '%s is never kept',
    async (name) => {
      await expect(set(name, 'x')).rejects.toMatchObject({ code: 'steering_variable' });
      expect(await readdir(home)).toEqual([]);
    },
  );

  test('names and dotted names turn into each other', () => {
    const part = fc.string({ minLength: 1, unit: fc.constantFrom('a', '.', '\\', 'ä', ' ') });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), (parts) => {
        expect(splitDottedName(formatDottedName(parts))).toEqual(parts);
      }),
    );
  });

  test('an existing key is reached by its plain dotted name, however many dots it has', () => {
    const name = fc.stringMatching(/^[a-c](\.[a-c]){0,3}$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), (path) => {
        const tree = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), {});
        expect(resolveIn(tree, splitDottedName(path.join('.')))).toEqual(path);
      }),
    );
  });
});

describe('effect', () => {
  test.each([
    ['display.language', 'en', 'at_once'],
    ['logging.level', 'DEBUG', 'at_once'],
    ['terminal.timeout', '5', 'next_turn'],
    ['model.default', 'x', 'next_session'],
    ['memory.user_char_limit', '5', 'next_session'],
    ['context_file_max_chars', '5', 'next_session'],
  ])('%s says when it applies', async (name, value, effect) => {
    expect(await set(name, value)).toMatchObject({ effect, changed: true });
    expect(await set(name, value)).toMatchObject({ effect, changed: false });
  });
});

describe('unset', () => {
  test('removes the lines of the key, and the section when it was the last', async () => {
    await write(LIVED_IN);
    expect(await unset('terminal.timeout')).toMatchObject({ changed: true, shown: undefined, effect: 'next_turn' });
    expect(await text()).toBe(LIVED_IN.replace('    timeout:   90     # four spaces here\n', ''));
    await unset('terminal.cwd');
    expect(await text()).toBe(LIVED_IN.replace(/terminal:\n(?: {4}.*\n){2}/, ''));
    expect(await unset('terminal.cwd')).toMatchObject({ changed: false });
  });

  test('works for credentials, a scalar model and unknown keys', async () => {
    await set('GROQ_API_KEY', 'x');
    await unset('GROQ_API_KEY');
    expect(await readFile(join(home, '.env'), 'utf8')).toBe('');
    await write('model: a\nnote: b\n');
    await unset('model.default');
    expect(await text()).toBe('note: b\n');
    await unset('note');
    expect(await text()).toBe('');
  });
});

describe('get', () => {
  test('gives defaults, values, sections, unknown keys and masked credentials', async () => {
    await write(LIVED_IN);
    await set('GROQ_API_KEY', 'gsk-0123456789abcdefg');
    expect(await get('agent.api_max_retries')).toEqual({ value: 3, shown: '3', kind: 'setting' });
    expect((await get('terminal')).value).toEqual({ timeout: 90, cwd: '.' });
    expect(await get('custom')).toMatchObject({ value: ['keep', ['a', 'b']], kind: 'unknown' });
    expect(await get('nothing.here')).toEqual({ value: undefined, shown: undefined, kind: 'unknown' });
    expect(await get('GROQ_API_KEY')).toEqual({ value: undefined, shown: 'gsk-01...defg', kind: 'credential' });
  });
});

describe('files', () => {
  test('T33: a broken file is refused with 78 and keeps its bytes', async () => {
    const broken = 'terminal:\n  timeout: 20\n cwd: "x\n';
    await write(broken);
    for (const attempt of [set('terminal.timeout', '5'), unset('terminal.timeout')]) {
      await expect(attempt).rejects.toMatchObject({ code: 'config_broken', exitCode: ExitCode.config });
      await expect(attempt).rejects.toThrow(/config\.yaml is broken at line 3, column \d+/);
    }
    expect(await text()).toBe(broken);
    expect(await readdir(home)).toEqual(['config.yaml']);
  });

  test('a file that cannot be read is refused with 78', async () => {
    await mkdir(file);
    await expect(set('terminal.timeout', '5')).rejects.toMatchObject({
      code: 'is_a_directory',
      exitCode: ExitCode.config,
    });
  });

  test('a file of a newer program is not written', async () => {
    await write('_config_version: 99\n');
    await expect(set('terminal.timeout', '5')).rejects.toMatchObject({
      code: 'config_newer',
      exitCode: ExitCode.config,
    });
  });

  test('a linked config.yaml is changed in its own place', async () => {
    await mkdir(join(home, 'dotfiles'));
    await symlink('dotfiles/hermes.yaml', file);
    await set('terminal.timeout', '5');
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(await readFile(join(home, 'dotfiles/hermes.yaml'), 'utf8')).toBe('terminal:\n  timeout: 5\n');
  });

  test('line ends of the other kind are kept', async () => {
    await write('terminal:\r\n  timeout: 5\r\n');
    await set('terminal.cwd', '/x');
    await set('terminal.timeout', '6');
    expect(await text()).toBe('terminal:\r\n  timeout: 6\r\n  cwd: /x\r\n');
  });

  test('many changes at once are all there in the end', async () => {
    await write('# mine\n');
    await Promise.all(Array.from({ length: 12 }, (_, i) => set(`custom.k${i}`, `${i}`)));
    await Promise.all([set('A_TOKEN', '1'), set('B_TOKEN', '2'), set('terminal.timeout', '7')]);
    const read = readYaml(await text());
    expect('tree' in read && read.tree).toEqual({
      custom: Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`k${i}`, i])),
      terminal: { timeout: 7 },
    });
    expect((await readFile(join(home, '.env'), 'utf8')).split('\n').sort()).toEqual(['', 'A_TOKEN=1', 'B_TOKEN=2']);
    expect((await readdir(home)).sort()).toEqual(['.env', 'config.yaml']);
  });

  test('a change waits for the one before it', async () => {
    await writeFile(`${file}.lock`, `${process.pid} ${hostname()} other\n`);
    const waiting = set('terminal.timeout', '5');
    await rm(`${file}.lock`);
    expect(await waiting).toMatchObject({ changed: true });
  });

  test('a home that does not exist is one clear error', async () => {
    await expect(configSet({ home: join(home, 'none'), name: 'terminal.cwd', value: 'x' })).rejects.toMatchObject({
      code: 'no_such_directory',
    });
  });
});

describe('editing YAML text', () => {
  test.each([
    ['an empty section', 'a:\nb: 1\n', ['a', 'x'], 2, 'a:\n  x: 2\nb: 1\n'],
    ['an empty section with a comment', 'a: # c\nb: 1\n', ['a', 'x'], 2, 'a: # c\n  x: 2\nb: 1\n'],
    ['an empty key', 'a:\nb: 1\n', ['a'], 2, 'a: 2\nb: 1\n'],
    ['no line end at the end', 'a:\n  b: 1', ['a', 'c'], 2, 'a:\n  b: 1\n  c: 2\n'],
    ['a flow map', 'x: [1,2]\na: {b: 1}\n', ['a', 'b'], 2, 'x: [1,2]\na: {b: 2}\n'],
    [
      'a new key in a flow map',
      'x: [1,2] # x\na: {b: 1} # a\n',
      ['a', 'c', 'd'],
      'e,f',
      'x: [1,2] # x\na: {b: 1, c: {d: "e,f"}} # a\n',
    ],
    ['a value over several lines', 'a: |\n  one\n  two\nb: 1\n', ['a'], 'x', 'a: x\nb: 1\n'],
    ['a list', 'a:\n  - 1\n  - 2\n\nb: 1\n', ['a'], [3], 'a:\n  - 3\n\nb: 1\n'],
    [
      'a comment after the last key',
      'a:\n  b: 1 # b\n  # inner\n# outer\nc: 1\n',
      ['a', 'd'],
      2,
      'a:\n  b: 1 # b\n  d: 2\n  # inner\n# outer\nc: 1\n',
    ],
    ['a key that is a number', '1: a\n', ['1'], 'b', '1: b\n'],
    ['comments only', '# one\n\n# two\n', ['a'], 1, '# one\n\n# two\na: 1\n'],
    ['a document start', '---\na: 1\n', ['b'], 2, '---\na: 1\nb: 2\n'],
    ['an anchor', 'a: &x 1\nb: *x\n', ['b'], 2, 'a: &x 1\nb: 2\n'],
    [
      'a deep new place',
      'a:\n  b:\n    c: 1\n',
      ['a', 'b', 'd', 'e'],
      true,
      'a:\n  b:\n    c: 1\n    d:\n      e: true\n',
    ],
  ])('%s', (_what, before, path, value, after) => {
    expect(setInYaml(before, path, value)).toBe(after);
  });

  test('what cannot be changed alone is refused', () => {
    expect(() => setInYaml('a: &x {b: 1, d: 1}\nc: *x\n', ['c', 'b'], 2)).toThrow(/cannot be changed here/);
  });

  test('any change gives exactly the tree that was meant, comments stay, and unset takes the key away', () => {
    const key = fc.constantFrom('a', 'b', 'c d', 'e.f', '1', 'yes', '#x', "it's");
    const leaf = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('off', 'a\nb', '~', '- x', 'k: v', '"'),
    );
    const plain = { noNullPrototype: true };
    const tree = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf, plain)), plain);
    fc.assert(
      fc.property(tree, fc.array(key, { minLength: 1, maxLength: 3 }), leaf, (start, path, value) => {
        const before = Object.entries(start).reduce(
          (made, [name, item]) => setInYaml(made, [name], item),
          '# head\n\n# tail\n',
        );
        const changed = setInYaml(before, path, value);
        const read = readYaml(changed);
        expect('tree' in read && valueIn(read.tree, path)).toEqual(value);
        expect(changed.startsWith('# head\n\n# tail\n')).toBe(true);
        const removed = readYaml(unsetInYaml(changed, path));
        expect('tree' in removed && valueIn(removed.tree, path)).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });
});
