import { type InputEvent, keyEvent, NO_MODIFIERS } from './input-event.ts';

const NAMED: Record<number, string> = {
  0x08: 'backspace',
  0x09: 'tab',
  0x0d: 'enter',
  0x1b: 'escape',
  0x7f: 'backspace',
};

/** The key behind one control character: named keys first, else Ctrl with the character it is made from. */
export function controlKey(code: number, alt = false): InputEvent {
  const name = NAMED[code];
  if (name !== undefined) return keyEvent(name, { ...NO_MODIFIERS, alt });
  const letter = String.fromCharCode(code + 0x40).toLowerCase();
  return keyEvent(letter === '@' ? 'space' : letter, { ctrl: true, alt, shift: false });
}

export function isControl(code: number): boolean {
  return code < 0x20 || code === 0x7f;
}
