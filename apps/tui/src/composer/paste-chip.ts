import { stripControlSequences } from '@hermes/runtime';

/** A large paste: one character in the text stands for it, so that it moves and goes as a unit. */
export interface PasteChip {
  readonly id: number;
  readonly text: string;
}

/** Pastes from here on become a chip (CLI spec 8.7). */
const CHIP_LINES = 5;
const CHIP_CHARACTERS = 2000;

/** Private-use code points that stand for chips; they are taken out of what is typed or pasted. */
const FIRST = 0x10f000;
const PLACEHOLDER = /[\u{10f000}-\u{10ffff}]/gu;

/** Pasted text as it is sent: line ends are line feeds, control sequences are gone. */
export function pastedText(raw: string): string {
  return withoutPlaceholders(stripControlSequences(raw));
}

export function withoutPlaceholders(text: string): string {
  return text.replace(PLACEHOLDER, '');
}

export function deservesChip(text: string): boolean {
  return text.length >= CHIP_CHARACTERS || text.split('\n', CHIP_LINES).length >= CHIP_LINES;
}

export function placeholder(chip: PasteChip): string {
  return String.fromCodePoint(FIRST + chip.id);
}

/** The chip a character stands for. */
export function chipOf(character: string, chips: readonly PasteChip[]): PasteChip | undefined {
  const id = (character.codePointAt(0) ?? 0) - FIRST;
  return id > 0 ? chips.find((chip) => chip.id === id) : undefined;
}

/** The text with every chip in full. */
export function expandChips(text: string, chips: readonly PasteChip[]): string {
  return text.replace(PLACEHOLDER, (character) => chipOf(character, chips)?.text ?? '');
}
