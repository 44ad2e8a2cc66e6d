/** Control sequences this program writes itself, besides those of Ink. */
export const sequences = {
  enterAlternateScreen: '\u001b[?1049h\u001b[H',
  leaveAlternateScreen: '\u001b[?1049l',
  bracketedPasteOn: '\u001b[?2004h',
  bracketedPasteOff: '\u001b[?2004l',
  wheelOn: '\u001b[?1000h\u001b[?1006h',
  wheelOff: '\u001b[?1006l\u001b[?1000l',
  askKitty: '\u001b[?u',
  kittyOn: '\u001b[>1u',
  kittyOff: '\u001b[<u',
  beginUpdate: '\u001b[?2026h',
  endUpdate: '\u001b[?2026l',
  showCursor: '\u001b[?25h',
  resetStyle: '\u001b[0m',
  /** Erases from the top left on: what is seen, never the scrollback. */
  homeAndErase: '\u001b[H\u001b[J',
} as const;
