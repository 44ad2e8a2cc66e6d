import { en } from './en.ts';
import { zh } from './zh.ts';

/** Everything the interface itself says, in one language. Command names, keys and model text are not translated. */
export type Messages = typeof en;

/**
 * The catalog of a language; English for a language this version does not speak.
 *
 * @example
 * messagesFor('zh-CN').status.ready; // '就绪'
 */
export function messagesFor(language: string): Messages {
  return language.toLowerCase().startsWith('zh') ? zh : en;
}

/** The language asked for; `auto` is that of the locale (CLI spec 11). */
export function resolveLanguage(language: string, env: Readonly<Record<string, string | undefined>>): string {
  if (language !== 'auto') return language;
  return env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || 'en';
}
