import { controlKey, isControl } from './control-keys.ts';
import { type InputEvent, keyEvent, type Modifiers, modifiersOf, NO_MODIFIERS } from './input-event.ts';

const BY_LETTER: Record<string, string> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  P: 'f1',
  Q: 'f2',
  S: 'f4',
};

const BY_NUMBER: Record<number, string> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
};

/** Keypad keys of the kitty protocol that mean what their twins mean. */
const KITTY_NAMED: Record<number, string> = {
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageup',
  57422: 'pagedown',
  57423: 'home',
  57424: 'end',
  57426: 'delete',
};

/** Private-use codes of the kitty protocol: keys that are no characters (media keys, lone modifiers). */
const KITTY_PRIVATE = { from: 57344, to: 63743 };

/**
 * What a complete CSI sequence (without `ESC [`) means. Terminal replies - cursor position, focus, DECRPM, device
 * attributes - and keys nobody binds give nothing.
 *
 * @example
 * csiEvents('1;5C'); // [{ type: 'key', key: 'ctrl+right' }]
 * csiEvents('<64;10;5M'); // [{ type: 'wheel', direction: 'up' }]
 */
export function csiEvents(sequence: string): readonly InputEvent[] {
  const final = sequence.slice(-1);
  const body = sequence.slice(0, -1);
  if (body.startsWith('<')) return mouseEvents(body);
  if (/^\?\d*$/.test(body) && final === 'u') return [{ type: 'kitty' }];
  if (!/^[\d;:]*$/.test(body)) return [];
  const parameters = body.split(';').map((part) => part.split(':').map((value) => Number(value || Number.NaN)));
  const first = parameters[0]?.[0] ?? Number.NaN;
  const modifiers = modifiersOf(parameters[1]?.[0] ?? 1);
  if (final === 'u') return isRelease(parameters) ? [] : kittyKey(first, modifiers, parameters[2]);
  if (final === 'Z') return [keyEvent('tab', { ...NO_MODIFIERS, shift: true })];
  if (final === '~') return first === 27 ? otherKey(parameters, modifiers) : numbered(first, modifiers);
  // A cursor position report has the shape of a key with modifiers, but ends in R, which is not bound.
  const name = BY_LETTER[final];
  return name === undefined || isRelease(parameters) ? [] : [keyEvent(name, modifiers)];
}

function numbered(code: number, modifiers: Modifiers): readonly InputEvent[] {
  const name = BY_NUMBER[code];
  return name === undefined ? [] : [keyEvent(name, modifiers)];
}

/** xterm's modifyOtherKeys: `27 ; modifiers ; code ~`. */
function otherKey(parameters: readonly (readonly number[])[], modifiers: Modifiers): readonly InputEvent[] {
  return kittyKey(parameters[2]?.[0] ?? Number.NaN, modifiers, undefined);
}

function kittyKey(code: number, modifiers: Modifiers, text: readonly number[] | undefined): readonly InputEvent[] {
  const named = KITTY_NAMED[code];
  if (named !== undefined) return [keyEvent(named, modifiers)];
  if (!Number.isFinite(code) || (code >= KITTY_PRIVATE.from && code <= KITTY_PRIVATE.to) || code > 0x10ffff) return [];
  if (isControl(code)) {
    const event = controlKey(code);
    return event.type === 'key' ? [keyEvent(event.key, modifiers)] : [event];
  }
  const character = String.fromCodePoint(code);
  if (modifiers.ctrl || modifiers.alt) {
    return [keyEvent(character === ' ' ? 'space' : character.toLowerCase(), modifiers)];
  }
  const typed = text?.every((value) => Number.isFinite(value)) ? String.fromCodePoint(...text) : character;
  return [{ type: 'text', text: modifiers.shift && typed === character ? character.toUpperCase() : typed }];
}

/** Kitty reports key releases, where a program asked for them, as a third kind of event. */
function isRelease(parameters: readonly (readonly number[])[]): boolean {
  return parameters[1]?.[1] === 3;
}

/** SGR mouse reports: only the wheel is used. */
function mouseEvents(body: string): readonly InputEvent[] {
  const button = Number(body.slice(1).split(';')[0]);
  if ((button & 0b1100_0000) !== 64) return [];
  return (button & 3) > 1 ? [] : [{ type: 'wheel', direction: (button & 1) === 0 ? 'up' : 'down' }];
}
