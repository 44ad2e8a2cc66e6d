import type { Token, Tokens } from 'marked';
import { look, type Line, type Span, type Style } from '../text/style.ts';

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ', '#39': "'" };

/** Inline tokens as spans. A link whose text does not name its address gets the address behind it. */
export function inlineSpans(tokens: readonly Token[], style: Style): Line {
  return tokens.flatMap((token) => spansOf(token, style));
}

function spansOf(token: Token, style: Style): readonly Span[] {
  switch (token.type) {
    case 'strong':
      return inlineSpans(token.tokens ?? [], { ...style, bold: true });
    case 'em':
      return inlineSpans(token.tokens ?? [], { ...style, italic: true });
    case 'del':
      return inlineSpans(token.tokens ?? [], { ...style, strike: true });
    case 'codespan':
      return [{ text: String(token['text']), style: { ...style, ...look.code } }];
    case 'br':
      return [{ text: '\n', style }];
    case 'link':
      return linkSpans(token as Tokens.Link, style);
    case 'image':
      return [
        {
          text: `[${token['text'] === '' ? String(token['href']) : String(token['text'])}]`,
          style: { ...style, dim: true },
        },
      ];
    case 'checkbox':
      return [{ text: token['checked'] === true ? '☑ ' : '☐ ', style }];
    case 'text':
      return token.tokens ? inlineSpans(token.tokens, style) : [{ text: decode(String(token['text'])), style }];
    case 'escape':
      return [{ text: decode(String(token['text'])), style }];
    default:
      return [{ text: token.raw, style }];
  }
}

function linkSpans(link: Tokens.Link, style: Style): readonly Span[] {
  const shown = inlineSpans(link.tokens, { ...style, ...look.link });
  const address = link.href.replace(/^mailto:/, '');
  return link.text === link.href || link.text === address
    ? shown
    : [...shown, { text: ` (${link.href})`, style: { ...style, ...look.muted } }];
}

function decode(text: string): string {
  return text.includes('&') ? text.replace(/&(#39|[a-z]+);/g, (whole, name: string) => ENTITIES[name] ?? whole) : text;
}
