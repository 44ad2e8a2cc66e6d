/** When a changed setting takes effect (CLI spec 5.6). */
export type EffectClass = 'at_once' | 'next_turn' | 'next_session' | 'restart';

/** The classes in words, to follow the name of a setting. */
export const EFFECT_TEXT: Readonly<Record<EffectClass, string>> = {
  at_once: 'applies at once',
  next_turn: 'applies to the next turn',
  next_session: 'applies to the next session',
  restart: 'applies after a restart',
};
