/**
 * Escape sequences and control characters, longest form first. Written as text because the pattern is about
 * characters that cannot be seen.
 *
 * 1. Strings: OSC, DCS, SOS, PM, APC with their payload, in the 7-bit and the 8-bit form. One that is never closed
 *    takes the rest of its line with it, so that the lines after it stay readable.
 * 2. CSI with its parameters, in both forms; one cut short by the end of the text goes as well.
 * 3. Any other escape sequence: ESC, intermediate bytes, one final byte.
 * 4. What is left of C0 (line feed and tab stay), DEL, C1, and the bidirectional overrides and isolates.
 */
const CONTROL = new RegExp(
  [
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])` +
      String.raw`(?:[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|[^\n\u0007\u001b\u009c]*)`,
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?`,
    String.raw`\u001b[ -/]*[0-~]?`,
    String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]`,
  ].join('|'),
  'g',
);

/**
 * Makes untrusted text safe to put on a terminal: the words stay, everything that could move the cursor, set a
 * title, write the clipboard or reorder what is read goes (CLI spec 1.5). Carriage returns become line ends,
 * because a bare one would let later text paint over earlier text. Works on whole texts: a sequence cut in two by
 * the caller is not recognised as one.
 *
 * @example
 * stripControlSequences('\u001b[31mred\u001b[0m\u001b]0;title\u0007'); // 'red'
 */
export function stripControlSequences(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROL, '');
}
