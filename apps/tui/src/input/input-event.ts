/** What a person did, after everything the terminal itself says has been taken out. */
export type InputEvent =
  | { readonly type: 'text'; readonly text: string }
  /** `key` is canonical: modifiers in the order ctrl, alt, shift, then the name: `ctrl+a`, `alt+shift+up`, `enter`. */
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'wheel'; readonly direction: 'up' | 'down' }
  /** The terminal speaks the kitty keyboard protocol. */
  | { readonly type: 'kitty' };

export interface Modifiers {
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

export const NO_MODIFIERS: Modifiers = { ctrl: false, alt: false, shift: false };

export function keyEvent(name: string, { ctrl, alt, shift }: Modifiers = NO_MODIFIERS): InputEvent {
  return { type: 'key', key: `${ctrl ? 'ctrl+' : ''}${alt ? 'alt+' : ''}${shift ? 'shift+' : ''}${name}` };
}

/** Modifiers of a CSI parameter: 1 + shift 1, alt 2, ctrl 4; meta (8) counts as alt. */
export function modifiersOf(parameter: number): Modifiers {
  const bits = Math.max(0, parameter - 1);
  return { shift: (bits & 1) !== 0, alt: (bits & 10) !== 0, ctrl: (bits & 4) !== 0 };
}
