import type { MarkdownLexer } from './render.ts';

/** Loads marked. It is kept out of the first paint. */
export async function loadLexer(): Promise<MarkdownLexer> {
  const { lexer } = await import('marked');
  return (source) => lexer(source, { gfm: true });
}
