/** What the parts of a glob mean in a regular expression; `{a,b}` is handled by the caller. */
const PARTS: Readonly<Record<string, string>> = { '*': '[^/]*', '?': '[^/]', '**': '.*', '**/': '(?:.*/)?' };

const TOKENS = /\*\*\/|\*\*|\*|\?|\[!?[^\]]+\]|\{[^{}]*\}|[\s\S]/gu;

/**
 * A test of paths against a glob with `*`, `**`, `?`, `[a-z]`, `[!a-z]`, `{a,b}`. A glob without `/` is held against the last
 * name of the path only; one that begins with `!` is turned around. Undefined for a glob that is not valid.
 *
 * @example
 * globTest('*.{ts,js}')?.('src/a.ts'); // true
 */
export function globTest(glob: string): ((path: string) => boolean) | undefined {
  const negated = glob.startsWith('!');
  const positive = negated ? glob.slice(1) : glob;
  const namesOnly = !positive.includes('/');
  try {
    const pattern = new RegExp(`^${source(positive)}$`, 'su');
    return (path) => pattern.test(namesOnly ? path.slice(path.lastIndexOf('/') + 1) : path) !== negated;
  } catch {
    return undefined;
  }
}

function source(glob: string): string {
  return (glob.match(TOKENS) ?? []).map(partSource).join('');
}

function partSource(part: string): string {
  const known = PARTS[part];
  if (known !== undefined) return known;
  if (part.startsWith('{') && part.length > 1) return `(?:${part.slice(1, -1).split(',').map(source).join('|')})`;
  if (part.startsWith('[') && part.length > 1) {
    const negated = part.startsWith('[!');
    const inner = part.slice(negated ? 2 : 1, -1).replaceAll(/[\\[\]^&]/gu, '\\$&');
    return `[${negated ? '^' : ''}${inner}]`;
  }
  return part.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&');
}
