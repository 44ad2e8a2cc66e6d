import { describe, expect, test } from 'vitest';
import { type Messages, messagesFor } from '../language/messages.ts';
import { session } from '../testing/host-double.ts';
import { UiDriver } from '../testing/ui-driver.ts';
import { cellWidth } from '../text/width.ts';

/** English, 40% longer and wide: what a translation may do to the layout. */
function pseudo(): Messages {
  const longer = (value: unknown): unknown => {
    if (typeof value === 'string') return `${value}${'～'.repeat(Math.ceil(value.length / 5))}`;
    if (typeof value === 'function') return (...args: unknown[]) => longer(value(...args));
    if (Array.isArray(value)) return value.map(longer);
    return Object.fromEntries(Object.entries(Object(value)).map(([key, part]) => [key, longer(part)]));
  };
  return longer(messagesFor('en')) as Messages;
}

const LANGUAGES = [
  ['English', messagesFor('en')],
  ['Chinese', messagesFor('zh-CN')],
  ['a longer language', pseudo()],
] as const;

const SIZES = [
  [80, 24],
  [40, 12],
  [30, 8],
  [160, 50],
] as const;

const OPTIONS = Array.from({ length: 9 }, (_, index) => ({
  provider: 'ollama',
  model: `qwen-一个很长的模型名字-${index}`,
  base_url: 'http://127.0.0.1:11434/v1',
  origin: 'local' as const,
  current: index === 0,
}));

/** Screens that are drawn in every language and size. */
const SCREENS: Record<string, (ui: UiDriver) => void> = {
  starting: () => undefined,
  'first run': (ui) => {
    ui.backendReady({
      route: null,
      route_problem: 'No provider is configured.\nRun hermes model.',
      config_warnings: ['w'],
    });
    ui.send({ type: 'models.listed', options: OPTIONS });
  },
  'how to connect': (ui) => {
    ui.backendReady({ route: null });
    ui.type('1');
  },
  'a turn': (ui) => {
    ui.backendReady();
    ui.send({ type: 'session.created', session: session('s1', { title: '一个很长的会话标题'.repeat(5) }) });
    ui.type('你好 '.repeat(40));
    ui.press('enter');
    ui.startTurn();
    ui.host('session.usage', { turn_id: 't1', usage: NO_USAGE, context_tokens: 99_000, context_window: 128_000 });
    ui.host('message.delta', {
      turn_id: 't1',
      text: '# 标题\n\n| 名称 | b |\n|---|---|\n| 数据库备份与恢复 | a long cell here |\n',
    });
    ui.host('tool.start', { turn_id: 't1', call_id: 'c', name: '工具', summary: '目标'.repeat(50), position: 0 });
    for (const text of ['one', 'two', 'three', 'four', 'five']) {
      ui.type(text);
      ui.press('tab');
    }
    ui.type('/');
  },
  scrolled: (ui) => {
    ui.backendReady();
    for (let index = 0; index < 80; index++) ui.send({ type: 'call.failed', reason: `原因 ${index}` });
    ui.press('pageup');
  },
  'sessions list': (ui) => {
    ui.backendReady();
    ui.type('/sessions');
    ui.press('enter');
    const sessions = Array.from({ length: 40 }, (_, index) =>
      session(`s${index}`, { preview: '整理数据库 '.repeat(20) }),
    );
    ui.send({ type: 'sessions.listed', sessions });
    ui.press('pagedown');
  },
  'models list': (ui) => {
    ui.backendReady();
    ui.press('ctrl+o');
    ui.send({ type: 'models.listed', options: OPTIONS });
  },
  help: (ui) => ui.type('?'),
  'a long draft': (ui) => ui.type('一二三四五六七八九十\n'.repeat(60)),
};

const NO_USAGE = { input: 0, output: 0, cache_read: 0, cache_write: 0, reasoning: 0 };

describe.each(LANGUAGES)('in %s', (_name, messages) => {
  test.each(SIZES)('every screen fills %i×%i exactly, and nothing sticks out', (columns, rows) => {
    for (const [name, prepare] of Object.entries(SCREENS)) {
      const ui = new UiDriver({ columns, rows, messages });
      prepare(ui);
      const { cursor } = ui.drawing.frame(ui.state);
      expect(ui.screen, name).toHaveLength(rows);
      for (const line of ui.screen) expect(cellWidth(line), `${name}: ${line}`).toBeLessThanOrEqual(columns);
      if (cursor) {
        expect(cursor.x, name).toBeLessThan(columns);
        expect(cursor.y, name).toBeLessThan(rows);
      }
    }
  });
});

test('on a low screen the composer and the status bar always remain', () => {
  const ui = new UiDriver({ columns: 40, rows: 8 });
  SCREENS['first run']?.(ui);
  ui.type('draft');
  expect(ui.screen.at(-2)).toBe('❯ draft');
  expect(ui.screen.at(-1)).toContain('no provider');
});

test('below 30×8 one line asks for room, and typing is kept', () => {
  const ui = new UiDriver({ columns: 28, rows: 7 });
  ui.type('kept');
  expect(ui.screen.filter((line) => line !== '')).toHaveLength(1);
  ui.send({ type: 'resize', columns: 60, rows: 10 });
  expect(ui.text).toContain('❯ kept');
});

test('a key pressed changes the composer and nothing else, however long the conversation is', () => {
  const ui = UiDriver.ready();
  for (let index = 0; index < 2000; index++) ui.send({ type: 'call.failed', reason: `reason ${index}` });
  const { transcript } = ui.state;
  const before = ui.screen;
  ui.type('x');
  expect(ui.state.transcript).toBe(transcript);
  expect(ui.screen.filter((line, row) => line !== before[row])).toEqual(['❯ x']);
});

test('the longest draft scrolls with its cursor in view', () => {
  const ui = new UiDriver();
  ui.type(
    Array.from({ length: 40 }, (_, row) => `row ${row}`)
      .join('\n')
      .slice(0, 300),
  );
  const { cursor, lines } = ui.drawing.frame(ui.state);
  expect(lines[cursor?.y ?? 0]).toContain(ui.state.editor.text.split('\n').at(-1));
});
