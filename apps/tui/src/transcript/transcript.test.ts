import { lexer } from 'marked';
import { describe, expect, test } from 'vitest';
import { messagesFor } from '../language/messages.ts';
import { appendMarkdown, EMPTY_MARKDOWN } from '../markdown/split.ts';
import { createPaint } from '../text/style.ts';
import type { Block, ToolBlock } from './block.ts';
import { createBlockLines } from './block-lines.ts';
import type { Transcript } from './transcript.ts';
import { FOLLOW, newLineCount, scrollBy, scrollToStart, shiftView, type View, visibleLines } from './viewport.ts';

/** A notice of `lines` lines: `b3.0`, `b3.1`, … */
function block(name: string, lines: number): Block {
  return {
    kind: 'notice',
    level: 'info',
    text: Array.from({ length: lines }, (_, row) => `${name}.${row}`).join('\n'),
  };
}

const linesOf = (one: Block): string[] => ('text' in one ? one.text.split('\n') : []);

function transcript(count: number, lines = 3): Transcript {
  const settled = Array.from({ length: count }, (_, index) => block(`b${index}`, lines));
  return { settled, live: [], olderBefore: null };
}

function grown(before: Transcript, ...blocks: Block[]): Transcript {
  return { ...before, live: [...before.live, ...blocks] };
}

describe('the view', () => {
  const ten = transcript(10);

  test('follows the end', () => {
    expect(visibleLines(ten, FOLLOW, 5, linesOf)).toEqual(['b8.2', '', 'b9.0', 'b9.1', 'b9.2']);
    expect(visibleLines(grown(ten, block('new', 1)), FOLLOW, 3, linesOf)).toEqual(['b9.2', '', 'new.0']);
  });

  test('shows a short conversation from its start', () => {
    expect(visibleLines(transcript(1), FOLLOW, 10, linesOf)).toEqual(['b0.0', 'b0.1', 'b0.2']);
  });

  test('stays where it was scrolled to, whatever arrives, and counts what is new', () => {
    const view = scrollBy(ten, FOLLOW, -6, 5, linesOf);
    const before = visibleLines(ten, view, 5, linesOf);
    let now = ten;
    for (let index = 0; index < 100; index++) now = grown(now, block(`n${index}`, 2));
    expect(visibleLines(now, view, 5, linesOf)).toEqual(before);
    expect(newLineCount(now, view, linesOf)).toBe(300);
  });

  test('counts lines that are added to the last block', () => {
    const open = grown(ten, block('open', 2));
    const view = scrollBy(open, FOLLOW, -6, 5, linesOf);
    expect(newLineCount({ ...open, live: [block('open', 7)] }, view, linesOf)).toBe(5);
  });

  test('follows again when it is scrolled to the end', () => {
    const up = scrollBy(ten, FOLLOW, -6, 5, linesOf);
    expect(scrollBy(ten, up, 5, 5, linesOf).follow).toBe(false);
    expect(scrollBy(ten, up, 6, 5, linesOf)).toEqual(FOLLOW);
  });

  test('stops at the first line', () => {
    const top = scrollBy(ten, FOLLOW, -1000, 5, linesOf);
    expect(visibleLines(ten, top, 2, linesOf)).toEqual(['b0.0', 'b0.1']);
    expect(scrollToStart(ten, FOLLOW, 5, linesOf)).toEqual(top);
  });

  test('lays out only what it shows or passes', () => {
    const many = transcript(10_000);
    const measured = new Set<Block>();
    const counting = (one: Block) => {
      measured.add(one);
      return linesOf(one);
    };
    const view = scrollBy(many, FOLLOW, -20, 20, counting);
    visibleLines(many, view, 20, counting);
    expect(measured.size).toBeLessThan(20);
  });

  test('keeps its line when older blocks are put before it', () => {
    const view = scrollToStart(ten, FOLLOW, 5, linesOf);
    const longer = { ...ten, settled: [block('older', 4), ...ten.settled] };
    expect(visibleLines(longer, shiftView(view, 1), 3, linesOf)).toEqual(['', 'b0.0', 'b0.1']);
  });

  test('comes back to the same line after the width has changed and changed back', () => {
    const view: View = scrollBy(ten, FOLLOW, -10, 5, linesOf);
    const narrow = (one: Block) => linesOf(one).flatMap((line) => [line, `${line}+`]);
    const name = (lines: string[]) => lines.find((line) => line !== '')?.split('.')[0];
    expect(name(visibleLines(ten, view, 5, narrow))).toBe(name(visibleLines(ten, view, 5, linesOf)));
    expect(visibleLines(ten, view, 5, linesOf)).toEqual(
      visibleLines(ten, scrollBy(ten, FOLLOW, -10, 5, linesOf), 5, linesOf),
    );
  });
});

describe('blocks', () => {
  const context = {
    width: 40,
    paint: createPaint({ color: false }),
    messages: messagesFor('en'),
    lexer,
    thinking: 'expanded',
  } as const;
  const draw = (one: Block, width = 40) => createBlockLines({ ...context, width })(one).map(withoutStyle);

  const tool: ToolBlock = {
    kind: 'tool',
    callId: 'c1',
    name: 'terminal',
    summary: 'npm test',
    state: 'ok',
    progress: '',
    preview: 'first\nsecond\nthird',
    diff: '',
    durationMs: 1200,
  };

  test('a finished tool is a row with its first line and its size', () => {
    expect(draw(tool)).toEqual(['✓ terminal npm test · 3 lines · 1.2 s', '  first']);
  });

  test('a running tool shows the last five lines it printed', () => {
    const progress = Array.from({ length: 9 }, (_, row) => `out ${row}\n`).join('');
    const rows = draw({ ...tool, state: 'running', progress, preview: '', durationMs: null });
    expect(rows).toEqual(['● terminal npm test · running', ...[4, 5, 6, 7, 8].map((row) => `  out ${row}`)]);
  });

  test('a failed tool says so and shows why; a long target is cut, not the outcome', () => {
    const rows = draw({ ...tool, state: 'failed', preview: 'boom', summary: 'x'.repeat(80) });
    expect(rows[0]).toMatch(/^✗ terminal x+… · failed · 1\.2 s$/);
    expect(rows[1]).toBe('  boom');
  });

  test('an edit shows its diff with signs', () => {
    expect(draw({ ...tool, diff: '@@ -1 +1 @@\n-a\n+b', preview: 'edited' }).slice(1)).toEqual([
      '  @@ -1 +1 @@',
      '  -a',
      '  +b',
    ]);
  });

  test('tool output cannot move the cursor or paint over itself', () => {
    expect(draw({ ...tool, preview: 'a\u001b[2Jb\rc' })[1]).toBe('  ab');
  });

  test('a long message of the user is folded', () => {
    const rows = draw({ kind: 'user', id: '1', text: 'x\n'.repeat(300), steered: false });
    expect(rows).toHaveLength(17);
    expect(rows[16]).toBe('  … 285 more');
  });

  test('thinking folds to one line and hides', () => {
    const thought: Block = { kind: 'reasoning', text: 'why', open: false, startedAt: 0, durationMs: 4000 };
    expect(draw(thought)).toEqual(['▾ thought for 4.0 s', '  why']);
    expect(createBlockLines({ ...context, thinking: 'collapsed' })(thought).map(withoutStyle)).toEqual([
      '▸ thought for 4.0 s',
    ]);
    expect(createBlockLines({ ...context, thinking: 'hidden' })(thought)).toEqual([]);
  });

  test('an answer drawn while it streams ends as the same answer drawn at once', () => {
    const text = '# A\n\n- one\n- two\n\n```\ncode\n```\n\n| a |\n|---|\n| 1 |\n\nend **bold**';
    const lines = createBlockLines(context);
    let markdown = EMPTY_MARKDOWN;
    for (const letter of text) {
      markdown = appendMarkdown(markdown, letter);
      lines({ kind: 'assistant', text: '', markdown, state: 'open' });
    }
    const streamed = lines({ kind: 'assistant', text, markdown, state: 'open' });
    expect(streamed).toEqual(lines({ kind: 'assistant', text, markdown: null, state: 'done' }));
  });

  test('a block that cannot be drawn shows its text and the reason', () => {
    const broken = createBlockLines({
      ...context,
      lexer: () => {
        throw new Error('no');
      },
    });
    const rows = broken({ kind: 'assistant', text: 'the words', markdown: null, state: 'done' });
    expect(rows.map(withoutStyle)).toEqual([context.messages.transcript.notDrawn, 'the words']);
  });
});

function withoutStyle(line: string): string {
  return line.replaceAll(/\u001b\[[\d;]*m/g, '');
}
