import * as z from 'zod';
import {
  API_MODES,
  BUSY_INPUT_MODES,
  type Config,
  DEFAULT_CONFIG,
  INTERFACES,
  LANGUAGES,
  LOG_LEVELS,
} from './config.ts';
import type { EffectClass } from './effect.ts';

/** What is known about one key besides its type. */
export interface KeyInfo {
  /** One line. */
  readonly description: string;
  readonly effect: EffectClass;
  readonly kind: 'text' | 'switch' | 'number' | 'choice';
  readonly nullable: boolean;
  /** Values of a choice. */
  readonly allowed?: readonly string[];
  /** Other spellings of a value, by what they stand for. */
  readonly spellings?: Readonly<Record<string, string | number>>;
  /** Lowest number. */
  readonly min?: number;
  readonly whole?: boolean;
}

/** Information on each key, by its schema. */
export const keyInfo = z.registry<KeyInfo>();

type About = Pick<KeyInfo, 'description' | 'effect'>;

function text(value: string, about: About) {
  return z
    .string()
    .default(value)
    .register(keyInfo, { ...about, kind: 'text', nullable: false });
}

function flag(value: boolean, about: About) {
  return z
    .boolean()
    .default(value)
    .register(keyInfo, { ...about, kind: 'switch', nullable: false });
}

function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  value: Values[number],
  about: About & Pick<KeyInfo, 'spellings'>,
) {
  const info: KeyInfo = { ...about, kind: 'choice', nullable: false, allowed: values };
  return z
    .enum(values)
    .default(() => value)
    .register(keyInfo, info);
}

function count(value: number, min: number, about: About) {
  return z
    .int()
    .min(min)
    .default(value)
    .register(keyInfo, { ...about, kind: 'number', nullable: false, min, whole: true });
}

function optionalCount(value: number | null, min: number, about: About & Pick<KeyInfo, 'spellings'>) {
  const info: KeyInfo = { ...about, kind: 'number', nullable: true, min, whole: true };
  return z.int().min(min).nullable().default(value).register(keyInfo, info);
}

function seconds(value: number, about: About) {
  return z
    .number()
    .min(1)
    .default(value)
    .register(keyInfo, { ...about, kind: 'number', nullable: false, min: 1 });
}

function optionalSeconds(value: number | null, about: About) {
  const info: KeyInfo = { ...about, kind: 'number', nullable: true, min: 1 };
  return z.number().min(1).nullable().default(value).register(keyInfo, info);
}

const { model, agent, terminal, memory, display, logging } = DEFAULT_CONFIG;

const modelOverrides = z.object({
  context_length: optionalCount(null, 1, { description: 'window of this model in tokens', effect: 'next_session' }),
});

const provider = z.object({
  base_url: text('', { description: 'address of the API', effect: 'next_session' }),
  api_mode: choice(API_MODES, 'auto', { description: 'wire protocol', effect: 'next_session' }),
  key_env: text('', { description: 'name of the variable that holds the key', effect: 'next_session' }),
  enabled: flag(true, { description: 'whether the provider may be used', effect: 'next_session' }),
  request_timeout_seconds: optionalSeconds(null, { description: 'time limit of one request', effect: 'next_session' }),
  models: z.record(z.string(), modelOverrides).default({}),
});

/** The settings that exist, each with its default, a line about it and when a change takes effect. */
export const configSchema = z.object({
  model: z
    .object({
      default: text(model.default, { description: 'model used for new sessions', effect: 'next_session' }),
      provider: text(model.provider, { description: 'provider of the model, or auto', effect: 'next_session' }),
      base_url: text(model.base_url, { description: 'address of a custom endpoint', effect: 'next_session' }),
      api_mode: choice(API_MODES, model.api_mode, { description: 'wire protocol', effect: 'next_session' }),
      context_length: optionalCount(model.context_length, 1, {
        description: 'window of the model in tokens; null asks the catalog',
        effect: 'next_session',
      }),
    })
    .prefault({}),
  providers: z.record(z.string(), provider).default({}),
  agent: z
    .object({
      max_turns: optionalCount(agent.max_turns, 0, {
        description: 'model calls in one turn; null leaves it to the host, 0 is no limit',
        effect: 'next_turn',
        spellings: { unlimited: 0, '-1': 0 },
      }),
      api_max_retries: count(agent.api_max_retries, 0, {
        description: 'repeats of a failed model call',
        effect: 'next_turn',
      }),
    })
    .prefault({}),
  terminal: z
    .object({
      timeout: seconds(terminal.timeout, { description: 'time limit of one command in seconds', effect: 'next_turn' }),
      cwd: text(terminal.cwd, { description: 'directory commands start in', effect: 'next_session' }),
    })
    .prefault({}),
  memory: z
    .object({
      memory_enabled: flag(memory.memory_enabled, { description: 'keep MEMORY.md', effect: 'next_session' }),
      user_profile_enabled: flag(memory.user_profile_enabled, { description: 'keep USER.md', effect: 'next_session' }),
      memory_char_limit: count(memory.memory_char_limit, 1, {
        description: 'size of MEMORY.md in characters',
        effect: 'next_session',
      }),
      user_char_limit: count(memory.user_char_limit, 1, {
        description: 'size of USER.md in characters',
        effect: 'next_session',
      }),
    })
    .prefault({}),
  display: z
    .object({
      interface: choice(INTERFACES, display.interface, { description: 'full screen or line mode', effect: 'at_once' }),
      language: choice(LANGUAGES, display.language, { description: 'language of the interface', effect: 'at_once' }),
      busy_input_mode: choice(BUSY_INPUT_MODES, display.busy_input_mode, {
        description: 'what input does while a turn runs',
        effect: 'at_once',
      }),
      show_reasoning: flag(display.show_reasoning, { description: 'show the model thinking', effect: 'at_once' }),
    })
    .prefault({}),
  logging: z
    .object({
      level: choice(LOG_LEVELS, logging.level, {
        description: 'least important log lines kept',
        effect: 'at_once',
        spellings: { warning: 'WARN', critical: 'ERROR' },
      }),
    })
    .prefault({}),
  context_file_max_chars: optionalCount(DEFAULT_CONFIG.context_file_max_chars, 1, {
    description: 'size of one context file in characters; null scales with the window',
    effect: 'next_session',
  }),
}) satisfies z.ZodType<Config>;
