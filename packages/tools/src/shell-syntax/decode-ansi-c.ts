const NAMED: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const ESCAPE =
  /\\(?:([abeEfnrtv])|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|([\s\S]))/gu;

/** The text that the shell reads in `$'…'`. */
export function decodeAnsiC(text: string): string {
  return text.replace(
    ESCAPE,
    (_, named?: string, hex?: string, short?: string, long?: string, octal?: string, other?: string) => {
      if (named !== undefined) return NAMED[named] ?? '';
      const code = hex ?? short ?? long;
      if (code !== undefined) return codePoint(Number.parseInt(code, 16));
      if (octal !== undefined) return codePoint(Number.parseInt(octal, 8));
      return other ?? '';
    },
  );
}

function codePoint(code: number): string {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : '\ufffd';
}
