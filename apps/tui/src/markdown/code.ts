import { look, type Line, span } from '../text/style.ts';
import { hardWrap } from '../text/hard-wrap.ts';

const GUTTER = 2;

/**
 * Code as lines: no box characters, so that what is copied is the code (CLI spec 8.3). A line that does not fit goes on
 * behind a `↪` in the gutter.
 */
export function renderCode(body: string, language: string, first: boolean, width: number): Line[] {
  const label: Line[] = first && language !== '' ? [[span(' '.repeat(GUTTER)), span(language, look.muted)]] : [];
  return [
    ...label,
    ...body
      .split('\n')
      .flatMap((line) =>
        hardWrap(line, Math.max(1, width - GUTTER)).map((piece, row) => [
          row === 0 ? span(' '.repeat(GUTTER)) : span('↪ ', look.muted),
          span(piece, look.code),
        ]),
      ),
  ];
}
