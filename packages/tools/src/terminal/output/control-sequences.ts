const CSI = '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]';
const OSC = '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)';
const STRING = '\\u001b[PX^_][^\\u001b]*\\u001b\\\\';
const SHORT = '\\u001b(?:[ -/]+[0-~]|[0-OQ-WYZ\\\\`-~])';

/** Complete control sequences: colours, cursor moves, titles, device strings (ECMA-48). */
const COMPLETE = new RegExp(`${CSI}|${OSC}|${STRING}|${SHORT}`, 'gu');

/** A sequence that has begun and may go on in the next piece of output. */
const BEGUN =
  /(?:\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]*\u001b?|[PX^_][^\u001b]*\u001b?|[ -/]*)|\u009b[0-?]*[ -/]*)$/u;

/** A longer beginning is no sequence but text that happens to contain an escape. */
const MAX_BEGUN_CHARS = 4096;

/** Removes terminal control sequences from a text that arrives in pieces. */
export class ControlSequenceFilter {
  #begun = '';

  /** The visible part of the next piece. */
  write(piece: string): string {
    if (this.#begun === '' && !piece.includes('\u001b') && !piece.includes('\u009b')) return piece;
    const visible = (this.#begun + piece).replace(COMPLETE, '');
    const begun = BEGUN.exec(visible.slice(-MAX_BEGUN_CHARS))?.[0] ?? '';
    this.#begun = begun;
    return begun === '' ? visible : visible.slice(0, -begun.length);
  }
}
