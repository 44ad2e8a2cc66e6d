import { StringDecoder } from 'node:string_decoder';
import { controlKey, isControl } from './control-keys.ts';
import { csiEvents } from './csi-keys.ts';
import { type InputEvent, keyEvent } from './input-event.ts';

const ESC = '\u001b';
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;

/** A terminal string (OSC, DCS, SOS, PM, APC) longer than this is not a reply to anything we asked. */
const MAX_STRING = 64 * 1024;

const TEXT = /[^\u0000-\u001f\u007f\u0080-\u009f]+/y;
const CSI = /\u001b\[(\[[A-E]|[0-?]*[ -/]*[@-~])/y;
const CSI_PREFIX = /\u001b\[(\[|[0-?]*[ -/]*)$/y;
const SS3 = /\u001bO([0-9;]*)([@-~])/y;
const STRING_START = /\u001b[\]PX^_]/y;
const STRING_END = /\u0007|\u001b\\|\u009c/g;

/**
 * Turns what the terminal sends into what a person did. It stands before everything else that reads input (CLI spec 8.1):
 * mouse and focus reports and the replies to OSC, DCS and mode queries are taken out here and can never be typed into the
 * composer. Sequences cut in two by the stream are held until the rest arrives.
 *
 * `settle` is to be called when nothing arrived for `HOLD_MS`: it decides what an unfinished sequence was. A lone ESC is the
 * Esc key; the beginning of a longer sequence, which nobody can type by hand, is held on.
 *
 * @example
 * const decoder = new InputDecoder();
 * decoder.push(Buffer.from('a\u001b[A')); // text "a", key "up"
 */
export class InputDecoder {
  readonly #utf8 = new StringDecoder('utf8');
  #pending = '';
  /** Pieces of a bracketed paste that has not ended. */
  #paste: string[] | null = null;

  /** True while `settle` could still make something of what is held. */
  get unsettled(): boolean {
    return this.#paste !== null || this.#pending !== '';
  }

  push(chunk: Uint8Array): InputEvent[] {
    this.#pending += this.#utf8.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    const events: InputEvent[] = [];
    while (this.#pending !== '' && this.#step(events)) continue;
    return events;
  }

  /** Decides about what is held after a silence. `long` is set after a second: what a program left open ends then. */
  settle(long = false): InputEvent[] {
    if (this.#paste) return long ? this.#endPaste(this.#pending, '') : [];
    const held = this.#pending;
    if (held === ESC) return this.#release([keyEvent('escape')]);
    if (held === ESC + ESC) return this.#release([keyEvent('escape'), keyEvent('escape')]);
    if (held.length === 2) return this.#release([altKey(held.slice(1))]);
    return long ? this.#release([]) : [];
  }

  #release(events: InputEvent[]): InputEvent[] {
    this.#pending = '';
    return events;
  }

  /** Takes one item from what is pending; false when the rest has to wait. */
  #step(events: InputEvent[]): boolean {
    if (this.#paste) return this.#continuePaste(events);
    const text = matchAt(TEXT, this.#pending);
    if (text) {
      events.push({ type: 'text', text: text[0] });
      return this.#take(text[0].length);
    }
    if (this.#pending.startsWith(ESC)) return this.#escape(events);
    const code = this.#pending.charCodeAt(0);
    if (isControl(code)) events.push(controlKey(code));
    return this.#take(1);
  }

  #escape(events: InputEvent[]): boolean {
    const pending = this.#pending;
    if (pending.startsWith(PASTE_START)) {
      this.#paste = [];
      return this.#take(PASTE_START.length);
    }
    const csi = matchAt(CSI, pending);
    if (csi?.[1] !== undefined) {
      events.push(...csiEvents(csi[1]));
      return this.#take(csi[0].length);
    }
    const ss3 = matchAt(SS3, pending);
    if (ss3) {
      events.push(...csiEvents(`${ss3[1]?.includes(';') ? ss3[1] : ''}${ss3[2]}`));
      return this.#take(ss3[0].length);
    }
    if (matchAt(STRING_START, pending)) return this.#skipString();
    if (pending.length === 1 || pending === `${ESC}O` || matchAt(CSI_PREFIX, pending)) return false;
    return this.#escapedKey(events);
  }

  /** ESC before a character is Alt with it. */
  #escapedKey(events: InputEvent[]): boolean {
    const rest = this.#pending.slice(1);
    if (rest.startsWith(ESC)) {
      if (rest.length === 1) return false;
      events.push(keyEvent('escape'));
      return this.#take(1);
    }
    const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    events.push(altKey(character));
    return this.#take(1 + character.length);
  }

  /** Replies that are strings end with BEL or ST; the whole of them is dropped. */
  #skipString(): boolean {
    STRING_END.lastIndex = 2;
    const end = STRING_END.exec(this.#pending);
    if (end) return this.#take(end.index + end[0].length);
    if (this.#pending.length > MAX_STRING) return this.#take(this.#pending.length);
    return false;
  }

  #continuePaste(events: InputEvent[]): boolean {
    const end = this.#pending.indexOf(PASTE_END);
    if (end !== -1) {
      events.push(...this.#endPaste(this.#pending.slice(0, end), this.#pending.slice(end + PASTE_END.length)));
      return true;
    }
    // The end marker may be cut in two: its possible beginning stays.
    const keep = overlap(this.#pending, PASTE_END);
    this.#paste?.push(this.#pending.slice(0, this.#pending.length - keep));
    this.#pending = this.#pending.slice(this.#pending.length - keep);
    return false;
  }

  #endPaste(last: string, rest: string): InputEvent[] {
    const text = [...(this.#paste ?? []), last].join('');
    this.#paste = null;
    this.#pending = rest;
    return [{ type: 'paste', text }];
  }

  #take(length: number): true {
    this.#pending = this.#pending.slice(length);
    return true;
  }
}

function altKey(character: string): InputEvent {
  if (isControl(character.charCodeAt(0))) return controlKey(character.charCodeAt(0), true);
  const shift = character !== character.toLowerCase();
  return keyEvent(character === ' ' ? 'space' : character.toLowerCase(), { ctrl: false, alt: true, shift });
}

function matchAt(pattern: RegExp, text: string): RegExpExecArray | null {
  pattern.lastIndex = 0;
  return pattern.exec(text);
}

/** Length of the longest end of `text` that is a beginning of `marker`. */
function overlap(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}
