import { ExitCode, HermesError } from '@hermes/runtime';
import { expect, test } from 'vitest';
import type { RouteConfig } from './provider-config.ts';
import { type RouteInput, resolveRoute } from './resolve-route.ts';

const SECRETS: Readonly<Record<string, string>> = {
  OPENROUTER_API_KEY: 'or-key',
  OPENAI_API_KEY: ' oa-key\n',
  BOX_KEY: 'b',
};
const BOX = { box: { baseUrl: 'https://box.example/v1/', keyEnv: 'BOX_KEY' } };

function resolve(input: RouteInput, config: RouteConfig = {}, keys: readonly string[] = Object.keys(SECRETS)) {
  return resolveRoute(input, config, (name) => (keys.includes(name) ? SECRETS[name] : undefined));
}

function failure(...args: Parameters<typeof resolve>): HermesError {
  try {
    resolve(...args);
  } catch (error) {
    if (error instanceof HermesError) return error;
    throw error;
  }
  throw new Error('A route was found.');
}

test.each<[string, RouteInput, RouteConfig, readonly string[], string]>([
  ['a provider and a model asked for', { provider: 'openai', model: 'gpt-5' }, {}, ['OPENAI_API_KEY'], 'openai gpt-5'],
  ['provider/model asked for', { model: 'ollama/qwen3' }, {}, [], 'ollama qwen3'],
  ['a local model with a slash', { model: 'ollama/hf.co/x/y' }, {}, [], 'ollama hf.co/x/y'],
  ['the configuration', {}, { model: { provider: 'openai', default: 'gpt-5' } }, ['OPENAI_API_KEY'], 'openai gpt-5'],
  ['a default with its provider', {}, { model: { default: 'openai/gpt-5' } }, ['OPENAI_API_KEY'], 'openai gpt-5'],
  [
    'auto and the key at hand',
    {},
    { model: { provider: 'auto', default: 'gpt-5' } },
    ['OPENAI_API_KEY'],
    'openai gpt-5',
  ],
  ['the first of two keys', { model: 'm' }, {}, ['OPENAI_API_KEY', 'OPENROUTER_API_KEY'], 'openrouter m'],
  ['an own provider before those', { model: 'm' }, { providers: BOX }, Object.keys(SECRETS), 'box m'],
  ['an own provider without a key', { model: 'm' }, { providers: { x: { baseUrl: 'http://x/v1' } } }, [], 'x m'],
  [
    'an aggregator for a name with a slash',
    { model: 'maker/m' },
    { providers: BOX },
    Object.keys(SECRETS),
    'openrouter maker/m',
  ],
  [
    'an aggregator when the maker has no key',
    { model: 'openai/gpt-5' },
    {},
    ['OPENROUTER_API_KEY'],
    'openrouter openai/gpt-5',
  ],
  [
    'the aggregator that is configured',
    { model: 'openai/gpt-5' },
    { model: { provider: 'openrouter' } },
    Object.keys(SECRETS),
    'openrouter openai/gpt-5',
  ],
  ['a model of an aggregator', { model: 'openrouter/maker/m' }, {}, Object.keys(SECRETS), 'openrouter maker/m'],
  [
    'a model named like its aggregator',
    { model: 'openrouter/auto' },
    {},
    Object.keys(SECRETS),
    'openrouter openrouter/auto',
  ],
  [
    'a prefix over another provider',
    { model: 'ollama/q' },
    { model: { provider: 'openai' } },
    Object.keys(SECRETS),
    'ollama q',
  ],
  [
    'a listed name with a slash',
    { model: 'openai/own' },
    { model: { provider: 'box' }, providers: { box: { ...BOX.box, models: { 'openai/own': {} } } } },
    Object.keys(SECRETS),
    'box openai/own',
  ],
  ['the demo by name', { provider: 'demo' }, { model: { provider: 'openai', default: 'gpt-5' } }, [], 'demo scripted'],
  [
    'an address that no provider has',
    {},
    { model: { baseUrl: 'http://10.0.0.5:8080/v1', default: 'q' } },
    [],
    'custom q',
  ],
  [
    'an address that a provider has',
    {},
    { model: { baseUrl: 'http://127.0.0.1:11434/v1', default: 'q' } },
    [],
    'ollama q',
  ],
])('a route is resolved from %s', (_what, input, config, keys, expected) => {
  const { provider, model } = resolve(input, config, keys);
  expect(`${provider} ${model}`).toBe(expected);
});

test('a route holds address, key and the name of the key, cleaned up', () => {
  expect(resolve({ provider: 'openai', model: 'gpt-4o' })).toEqual({
    provider: 'openai',
    model: 'gpt-4o',
    apiMode: 'chat_completions',
    baseUrl: 'https://api.openai.com/v1',
    apiKey: 'oa-key',
    keyEnv: 'OPENAI_API_KEY',
    contextWindow: 128_000,
    contextWindowAssumed: false,
  });
  expect(resolve({ model: 'box/m' }, { providers: BOX }).baseUrl).toBe('https://box.example/v1');
  const whole = { providers: { box: { baseUrl: 'https://box.example/v1/chat/completions' } } };
  expect(resolve({ model: 'box/m' }, whole).baseUrl).toBe('https://box.example/v1');
});

test('a key never goes to another origin, unless the configuration names it there', () => {
  const moved = { model: { provider: 'openai', baseUrl: 'https://proxy.example/v1', default: 'gpt-5' } };
  expect(resolve({}, moved)).toMatchObject({ provider: 'openai', baseUrl: 'https://proxy.example/v1' });
  expect(resolve({}, moved).apiKey).toBeUndefined();
  const entry = { baseUrl: 'https://proxy.example/v1' };
  expect(resolve({ model: 'openai/m' }, { providers: { openai: entry } }).apiKey).toBeUndefined();
  const named = { providers: { openai: { ...entry, keyEnv: 'OPENAI_API_KEY' } } };
  expect(resolve({ model: 'openai/m' }, named).apiKey).toBe('oa-key');
  const path = { model: { provider: 'openai', baseUrl: 'https://api.openai.com/v2', default: 'gpt-5' } };
  expect(resolve({}, path)).toMatchObject({ baseUrl: 'https://api.openai.com/v2', apiKey: 'oa-key' });
  // The address belongs to the configured provider, not to one that is asked for in its place.
  expect(resolve({ provider: 'openrouter', model: 'm' }, moved).baseUrl).toBe('https://openrouter.ai/api/v1');
});

test('the window comes from the setting, the entry of the model, the family of the model, and is assumed otherwise', () => {
  const model = { provider: 'openai', default: 'gpt-4.1', contextLength: 50_000 };
  const openai = { models: { 'gpt-4.1': { contextLength: 60_000 } } };
  const window = (input: RouteInput, config: RouteConfig) => {
    const { contextWindow, contextWindowAssumed } = resolve(input, config);
    return contextWindowAssumed ? `${contextWindow} assumed` : contextWindow;
  };
  expect(window({}, { model, providers: { openai } })).toBe(50_000);
  expect(window({ model: 'gpt-4o' }, { model })).toBe(128_000);
  expect(window({ provider: 'openai', model: 'gpt-4.1' }, { model, providers: { openai } })).toBe(60_000);
  expect(window({ model: 'openrouter/anthropic/claude-sonnet-4' }, {})).toBe(200_000);
  expect(window({ model: 'openai/gpt-4.1-mini' }, {})).toBe(1_047_576);
  expect(window({ model: 'openai/nobody-knows' }, {})).toBe('128000 assumed');
  // A local server decides at start how much of what the model can do it offers.
  expect(window({ model: 'ollama/llama-3.3' }, {})).toBe('128000 assumed');
});

test('time limits of a provider are part of its routes', () => {
  const box = { ...BOX.box, requestTimeoutSeconds: 600, staleTimeoutSeconds: 45 };
  expect(resolve({ model: 'box/m' }, { providers: { box } }).limits).toEqual({ wholeMs: 600_000, silenceMs: 45_000 });
});

test('without any provider three ways out are named', () => {
  const error = failure({ model: 'm' }, {}, []);
  expect(error).toMatchObject({ code: 'no_provider', exitCode: ExitCode.usage });
  expect(error.hints).toHaveLength(3);
  expect(error.hints.join('\n')).toMatch(/OPENROUTER_API_KEY[^]*ollama[^]*--demo/);
});

test('a mistyped provider is answered with the nearest and all known ones', () => {
  const error = failure({ provider: 'openruoter', model: 'm' }, { providers: BOX });
  expect(error).toMatchObject({ code: 'unknown_provider', exitCode: ExitCode.usage });
  expect(error.hints[0]).toBe('Did you mean openrouter?');
  expect(error.hints[1]).toBe('Known providers: box, openrouter, openai, ollama, lmstudio, demo.');
});

test('a missing key is named together with the ways to set it', () => {
  const error = failure({ provider: 'openai', model: 'gpt-5' }, {}, []);
  expect(error).toMatchObject({ code: 'missing_key', exitCode: ExitCode.usage });
  expect(error.message).toBe('Provider openai needs a key, and OPENAI_API_KEY is not set.');
  expect(error.hints.join('\n')).toMatch(/hermes config set OPENAI_API_KEY <key>[^]*export OPENAI_API_KEY=/);
});

test.each<[string, RouteInput, RouteConfig, string, number]>([
  ['no model', { provider: 'openai' }, {}, 'no_model', 2],
  [
    'the default model of another provider',
    { provider: 'openai' },
    { model: { provider: 'box', default: 'm' }, providers: BOX },
    'no_model',
    2,
  ],
  [
    'an address that is none',
    { model: 'box/m' },
    { providers: { box: { baseUrl: 'box.example/v1' } } },
    'bad_base_url',
    78,
  ],
  [
    'an entry without an address',
    { provider: 'box', model: 'm' },
    { providers: { box: { keyEnv: 'BOX_KEY' } } },
    'bad_base_url',
    78,
  ],
  [
    'a provider switched off',
    { provider: 'openai', model: 'm' },
    { providers: { openai: { enabled: false } } },
    'unknown_provider',
    2,
  ],
  [
    'a mode nobody speaks',
    { model: 'box/m' },
    { providers: { box: { ...BOX.box, apiMode: 'smoke_signals' } } },
    'unknown_api_mode',
    78,
  ],
])('%s is told as such', (_what, input, config, code, exitCode) => {
  expect(failure(input, config)).toMatchObject({ code, exitCode });
});
