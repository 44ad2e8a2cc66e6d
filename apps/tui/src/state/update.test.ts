import { describe, expect, test } from 'vitest';
import { session } from '../testing/host-double.ts';
import { UiDriver } from '../testing/ui-driver.ts';

/** A driver with a turn that runs. */
function running(): UiDriver {
  const ui = UiDriver.ready();
  ui.type('do it');
  ui.press('enter');
  ui.startTurn();
  return ui;
}

const OPTIONS = [
  {
    provider: 'ollama',
    model: 'qwen3:8b',
    base_url: 'http://127.0.0.1:11434/v1',
    origin: 'local' as const,
    current: false,
  },
  { provider: 'demo', model: 'demo', base_url: '', origin: 'demo' as const, current: false },
];

describe('a message', () => {
  test('typed before the backend answers waits, and goes when there is a session', () => {
    const ui = new UiDriver();
    ui.type('early');
    ui.press('enter');
    expect(ui.effects).toEqual([]);
    expect(ui.text).toContain('waiting early');
    ui.backendReady();
    expect(ui.asked('createSession')).toHaveLength(1);
    ui.send({ type: 'session.created', session: session('s1') });
    expect(ui.asked('submit')).toMatchObject([{ text: 'early', sessionId: 's1' }]);
  });

  test('is shown at once, and once, whichever comes first: the start of the turn or the answer', () => {
    const ui = UiDriver.ready();
    ui.type('hello');
    ui.press('enter');
    expect(ui.text).toContain('❯ hello');
    ui.startTurn();
    expect(ui.text.split('❯ hello')).toHaveLength(2);
    expect(ui.state.outbox).toEqual([]);
  });

  test('sent while a turn runs steers by Enter and queues by Tab', () => {
    const ui = running();
    ui.type('and this');
    ui.press('enter');
    ui.send({ type: 'prompt.admitted', requestId: 'id-2', status: 'steered', admissionId: 'a2' });
    ui.type('then that');
    ui.press('tab');
    ui.send({ type: 'prompt.admitted', requestId: 'id-3', status: 'queued', admissionId: 'a3' });
    expect(ui.asked('submit').map(({ intent }) => intent)).toEqual(['queue', 'steer', 'queue']);
    expect(ui.text).toContain('steering and this');
    expect(ui.text).toContain('queued then that');
  });

  test('queues by Enter too where the settings say so, and the hint says it', () => {
    const ui = running();
    ui.backendReady({ busy_input: 'queue' });
    ui.type('and this');
    expect(ui.text).toContain('Enter queue');
    ui.press('enter');
    expect(ui.asked('submit').at(-1)?.intent).toBe('queue');
  });

  test('that was steered moves into the conversation when it is delivered', () => {
    const ui = running();
    ui.type('and this');
    ui.press('enter');
    ui.send({ type: 'prompt.admitted', requestId: 'id-2', status: 'steered', admissionId: 'a2' });
    ui.host('admission.updated', { admission_id: 'a2', state: 'delivered', text: 'and this' });
    expect(ui.state.outbox).toEqual([]);
    expect(ui.text).toContain('❯ and this\n  delivered while running');
  });

  test('that the host refuses is kept, says why, and goes again by Enter', () => {
    const ui = UiDriver.ready();
    ui.type('hello');
    ui.press('enter');
    ui.send({ type: 'prompt.refused', requestId: 'id-1', reason: 'No key for example.' });
    expect(ui.text).toContain('No key for example.');
    expect(ui.text).toContain('not sent hello');
    ui.press('enter');
    expect(ui.asked('submit').map(({ requestId }) => requestId)).toEqual(['id-1', 'id-2']);
  });

  test('that came back is edited with Up on the empty composer', () => {
    const ui = running();
    ui.type('later');
    ui.press('tab');
    ui.send({ type: 'prompt.admitted', requestId: 'id-2', status: 'queued', admissionId: 'a2' });
    ui.host('admission.updated', { admission_id: 'a2', state: 'returned', text: 'later' });
    ui.press('up');
    expect(ui.state.editor.text).toBe('later');
    expect(ui.state.outbox).toEqual([]);
  });

  test('that looks like a path is a message, not a command', () => {
    const ui = UiDriver.ready();
    ui.type('/etc/hosts is odd');
    ui.press('enter');
    expect(ui.asked('submit')).toMatchObject([{ text: '/etc/hosts is odd' }]);
  });

  test('gets a new line by Shift+Enter, Ctrl+J and a backslash before Enter', () => {
    const ui = UiDriver.ready();
    ui.type('a');
    ui.press('shift+enter');
    ui.type('b');
    ui.press('ctrl+j');
    ui.type('c\\');
    ui.press('enter');
    ui.type('d');
    ui.press('enter');
    expect(ui.asked('submit')).toMatchObject([{ text: 'a\nb\nc\nd' }]);
  });
});

describe('a turn', () => {
  test('shows thinking, the answer, tools in call order and its end', () => {
    const ui = running();
    ui.host('reasoning.delta', { turn_id: 't1', text: 'hmm' });
    ui.host('message.delta', { turn_id: 't1', text: 'Looking.' });
    ui.host('message.interim', { turn_id: 't1', text: 'Looking.' });
    ui.host('tool.start', { turn_id: 't1', call_id: 'c1', name: 'read_file', summary: 'a.ts', position: 0 });
    ui.host('tool.start', { turn_id: 't1', call_id: 'c2', name: 'read_file', summary: 'b.ts', position: 1 });
    const done = { turn_id: 't1', name: 'read_file', status: 'ok' as const, duration_ms: 10, preview: '' };
    ui.host('tool.complete', { ...done, call_id: 'c2' });
    ui.host('tool.complete', { ...done, call_id: 'c1' });
    ui.host('message.delta', { turn_id: 't1', text: 'Done' });
    ui.endTurn('Done');
    expect(ui.screen.slice(4, 17).filter((line) => line !== '')).toEqual([
      '❯ do it',
      '▾ thought for <0.1 s',
      '  hmm',
      'Looking.',
      '✓ read_file a.ts · <0.1 s',
      '✓ read_file b.ts · <0.1 s',
      'Done',
      '2.0 s · 2 tool calls',
    ]);
    expect(ui.state.turn).toBeNull();
    expect(ui.state.transcript.live).toEqual([]);
  });

  test('whose text was withdrawn does not show it', () => {
    const ui = running();
    ui.host('message.delta', { turn_id: 't1', text: 'half an ans' });
    ui.host('message.retracted', { turn_id: 't1', cause: 'retry' });
    ui.host('message.delta', { turn_id: 't1', text: 'The answer.' });
    ui.endTurn('The answer.');
    expect(ui.text).not.toContain('half');
    expect(ui.text.split('The answer.')).toHaveLength(2);
  });

  test('without any streamed text shows the final one', () => {
    const ui = running();
    ui.endTurn('Only at the end.');
    expect(ui.text).toContain('Only at the end.');
  });

  test('that was interrupted keeps what was shown and says so', () => {
    const ui = running();
    ui.host('message.delta', { turn_id: 't1', text: 'half an answer' });
    ui.endTurn('', { status: 'interrupted', explanation: 'You interrupted it.' });
    expect(ui.text).toContain('half an answer\n⊘ interrupted');
  });

  test('that failed says why', () => {
    const ui = running();
    ui.endTurn('', { status: 'failed', explanation: 'The provider refused the key.' });
    expect(ui.text).toContain('✗ The provider refused the key.');
  });

  test('of another session changes nothing', () => {
    const ui = UiDriver.ready();
    const payload = { turn_id: 'x', text: 'not ours' };
    ui.send({ type: 'host.events', events: [{ type: 'message.delta', session_id: 'other', seq: 1, payload }] });
    expect(ui.text).not.toContain('not ours');
  });
});

describe('Ctrl+C', () => {
  test('clears a draft, which Up brings back', () => {
    const ui = UiDriver.ready();
    ui.type('a draft');
    ui.press('ctrl+c');
    expect(ui.state.editor.text).toBe('');
    ui.press('up');
    expect(ui.state.editor.text).toBe('a draft');
  });

  test('interrupts a turn, and leaves with 130 when pressed again', () => {
    const ui = running();
    ui.press('ctrl+c');
    expect(ui.asked('interrupt')).toEqual([{ type: 'interrupt', sessionId: 's1' }]);
    expect(ui.text).toContain('stopping…');
    ui.press('ctrl+c');
    expect(ui.asked('exit')).toEqual([{ type: 'exit', code: 130 }]);
  });

  test('leaves an idle screen only when pressed twice within two seconds', () => {
    const ui = UiDriver.ready();
    ui.press('ctrl+c');
    ui.wait(2500);
    ui.press('ctrl+c');
    expect(ui.asked('exit')).toEqual([]);
    ui.press('ctrl+c');
    expect(ui.asked('exit')).toEqual([{ type: 'exit', code: 0 }]);
  });

  test('closes an open list first', () => {
    const ui = UiDriver.ready();
    ui.type('draft');
    ui.press('ctrl+o', 'ctrl+c');
    expect(ui.state.overlay).toBeNull();
    expect(ui.state.editor.text).toBe('draft');
  });
});

describe('Esc', () => {
  test('once does not interrupt, twice within half a second does, and the draft stays', () => {
    const ui = running();
    ui.type('draft');
    ui.press('escape');
    ui.wait(600);
    ui.press('escape');
    expect(ui.asked('interrupt')).toEqual([]);
    ui.press('escape');
    expect(ui.asked('interrupt')).toHaveLength(1);
    expect(ui.state.editor.text).toBe('draft');
  });

  test('twice discards an idle draft into the history', () => {
    const ui = UiDriver.ready();
    ui.type('draft');
    ui.press('escape');
    expect(ui.state.editor.text).toBe('draft');
    ui.press('escape');
    expect(ui.state.editor.text).toBe('');
    ui.press('up');
    expect(ui.state.editor.text).toBe('draft');
  });
});

test('Ctrl+D deletes to the right, and leaves when the composer is empty, with a question while a turn runs', () => {
  const ui = running();
  ui.type('ab');
  ui.press('home', 'ctrl+d', 'ctrl+d');
  expect(ui.state.editor.text).toBe('');
  ui.press('ctrl+d');
  expect(ui.asked('exit')).toEqual([]);
  ui.press('ctrl+d');
  expect(ui.asked('exit')).toEqual([{ type: 'exit', code: 0 }]);
});

describe('slash commands', () => {
  test('are listed while the name is typed; Tab accepts, Esc closes the list', () => {
    const ui = UiDriver.ready();
    ui.type('/s');
    expect(ui.text).toContain('/sessions [search]');
    ui.press('escape');
    expect(ui.text).not.toContain('/sessions');
    ui.type('t');
    ui.press('tab');
    expect(ui.state.editor.text).toBe('/status');
  });

  test('an ambiguous beginning is filled in by Enter, not run', () => {
    const ui = UiDriver.ready();
    ui.type('/s');
    ui.press('down', 'enter');
    expect(ui.state.editor.text).not.toBe('/s');
    expect(ui.effects.filter(({ type }) => type === 'dispatchCommand')).toEqual([]);
  });

  test('of the host go to the host, and the answer is shown', () => {
    const ui = UiDriver.ready();
    ui.type('/status');
    ui.press('enter');
    expect(ui.asked('dispatchCommand')).toEqual([{ type: 'dispatchCommand', sessionId: 's1', line: '/status' }]);
    ui.send({ type: 'command.answered', line: '/status', result: { type: 'exec', output: 'all fine' } });
    expect(ui.text).toContain('› /status\n  all fine');
  });

  test('that nobody knows come back into the composer with what they may have meant', () => {
    const ui = UiDriver.ready();
    ui.type('/statsu now');
    ui.press('enter');
    const result = { type: 'unknown' as const, output: 'Did you mean /status?', nearest: ['status'] };
    ui.send({ type: 'command.answered', line: '/statsu now', result });
    expect(ui.state.editor.text).toBe('/statsu now');
    expect(ui.text).toContain('Did you mean /status?');
    expect(ui.asked('submit')).toEqual([]);
  });

  test('/new starts over; the next message creates a session', () => {
    const ui = running();
    ui.endTurn('old answer');
    ui.type('/clear');
    ui.press('enter');
    expect(ui.text).not.toContain('old answer');
    ui.type('next');
    ui.press('enter');
    expect(ui.asked('createSession')).toHaveLength(1);
  });

  test('/quit leaves', () => {
    const ui = UiDriver.ready();
    ui.type('/exit');
    ui.press('enter');
    expect(ui.asked('exit')).toEqual([{ type: 'exit', code: 0 }]);
  });
});

describe('lists', () => {
  test('of sessions filter as one types and open the chosen one with its history', () => {
    const ui = UiDriver.ready();
    ui.type('/sessions');
    ui.press('enter');
    ui.send({
      type: 'sessions.listed',
      sessions: [session('s2', { title: 'Parser' }), session('s3', { title: 'Tests' })],
    });
    ui.type('tes');
    ui.press('enter');
    expect(ui.asked('resumeSession')).toEqual([{ type: 'resumeSession', ref: 's3' }]);
    const blocks = [{ kind: 'user' as const, row_id: 1, text: 'from before', at: 0 }];
    ui.send({ type: 'session.resumed', session: session('s3'), running: false, history: { blocks, has_more: false } });
    expect(ui.text).toContain('❯ from before');
  });

  test('of models choose for now by Enter and as the default by Ctrl+S', () => {
    const ui = UiDriver.ready();
    ui.press('ctrl+o');
    ui.send({ type: 'models.listed', options: OPTIONS });
    ui.type('qw');
    ui.press('ctrl+s');
    expect(ui.asked('selectModel')).toMatchObject([{ option: { model: 'qwen3:8b' }, persist: true }]);
    ui.press('ctrl+o');
    ui.send({ type: 'models.listed', options: OPTIONS });
    ui.press('down', 'enter');
    expect(ui.asked('selectModel')[1]).toMatchObject({ option: { model: 'demo' }, persist: false });
  });

  test('the help shows every key and command and scrolls', () => {
    const ui = UiDriver.ready();
    ui.type('?');
    expect(ui.text).toContain('/quit');
    ui.press('pagedown', 'pagedown', 'pagedown', 'pagedown');
    expect(ui.text).toContain('Shift to select');
    ui.press('escape');
    expect(ui.state.overlay).toBeNull();
  });
});

describe('a start without a model', () => {
  function firstRun(): UiDriver {
    const ui = new UiDriver();
    ui.backendReady({ route: null, route_problem: 'No provider is configured.' });
    return ui;
  }

  test('offers what was found, keeps what is sent, and sends it once a model is chosen', () => {
    const ui = firstRun();
    expect(ui.text).toContain('no provider');
    expect(ui.asked('listModels')).toHaveLength(1);
    ui.type('hello');
    ui.press('enter');
    ui.send({ type: 'models.listed', options: OPTIONS });
    expect(ui.text).toContain('1 qwen3:8b · ollama');
    expect(ui.text).toContain('kept until a model is chosen');
    ui.type('1');
    expect(ui.asked('selectModel')).toMatchObject([{ option: { model: 'qwen3:8b' }, persist: true }]);
    const route = { provider: 'ollama', model: 'qwen3:8b', base_url: '', context_window: 8000, scripted: false };
    const [option] = OPTIONS;
    if (option) ui.send({ type: 'model.selected', option, route, notice: 'Saved.' });
    ui.send({ type: 'session.created', session: session('s1') });
    expect(ui.asked('submit')).toMatchObject([{ text: 'hello' }]);
  });

  test('never saves the demo', () => {
    const ui = firstRun();
    ui.send({ type: 'models.listed', options: OPTIONS });
    ui.type('2');
    expect(ui.asked('selectModel')).toMatchObject([{ option: { origin: 'demo' }, persist: false }]);
  });

  test('explains how to connect a provider, and goes away when asked', () => {
    const ui = firstRun();
    ui.type('1');
    expect(ui.text).toContain('/home/user/.hermes/.env');
    expect(ui.text).toContain('No provider is configured.');
    ui.type('2');
    expect(ui.state.firstRun).toBeNull();
  });

  test('leaves a message that starts with a digit alone', () => {
    const ui = firstRun();
    ui.type('3 ideas');
    expect(ui.state.editor.text).toBe('3 ideas');
  });

  test('keeps the marked choice when models appear before it', () => {
    const ui = firstRun();
    ui.press('down');
    ui.send({ type: 'models.listed', options: OPTIONS });
    expect(ui.text).toContain('❯ 4 Later');
  });
});

describe('a backend that dies', () => {
  test('marks the reply as interrupted, keeps draft and queue, and opens the same session again', () => {
    const ui = running();
    ui.host('message.delta', { turn_id: 't1', text: 'half' });
    ui.type('queued');
    ui.press('tab');
    ui.send({ type: 'prompt.admitted', requestId: 'id-2', status: 'queued', admissionId: 'a2' });
    ui.type('draft');
    ui.send({ type: 'backend.lost', reason: 'exit 137' });
    expect(ui.text).toContain('half\n⊘ interrupted');
    expect(ui.text).toContain('exit 137');
    expect(ui.state.editor.text).toBe('draft');
    ui.backendReady();
    expect(ui.asked('resumeSession')).toEqual([{ type: 'resumeSession', ref: 's1' }]);
    ui.send({
      type: 'session.resumed',
      session: session('s1'),
      running: false,
      history: { blocks: [], has_more: false },
    });
    expect(ui.asked('submit').at(-1)).toMatchObject({ requestId: 'id-2', text: 'queued' });
    expect(ui.text).toContain('half');
  });

  test('gets the chosen model again before anything is sent', () => {
    const ui = UiDriver.ready();
    const [option] = OPTIONS;
    const route = { provider: 'demo', model: 'demo', base_url: '', context_window: 8000, scripted: true };
    if (option) ui.send({ type: 'model.selected', option, route, notice: '' });
    ui.send({ type: 'backend.lost', reason: 'exit 1' });
    ui.type('hello');
    ui.press('enter');
    ui.backendReady({ route: null });
    ui.send({
      type: 'session.resumed',
      session: session('s1'),
      running: false,
      history: { blocks: [], has_more: false },
    });
    expect(ui.asked('selectModel')).toMatchObject([{ option, persist: false }]);
    expect(ui.asked('submit')).toEqual([]);
    if (option) ui.send({ type: 'model.selected', option, route, notice: '' });
    expect(ui.asked('submit')).toMatchObject([{ text: 'hello' }]);
  });

  test('for good says so, and nothing typed is lost', () => {
    const ui = new UiDriver();
    ui.type('hello');
    ui.press('enter');
    ui.send({ type: 'backend.down', reason: 'exit 78: config.yaml line 3', everReady: false });
    expect(ui.text).toContain('config.yaml line 3');
    expect(ui.text).toContain('offline');
    expect(ui.text).toContain('waiting hello');
  });
});

describe('scrolling', () => {
  function withHistory(): UiDriver {
    const ui = new UiDriver({ resumeRef: 'latest' });
    ui.backendReady();
    const blocks = Array.from({ length: 50 }, (_, index) => ({
      kind: 'user' as const,
      row_id: 100 + index,
      text: `message ${index}`,
      at: 0,
    }));
    ui.send({ type: 'session.resumed', session: session('s1'), running: false, history: { blocks, has_more: true } });
    return ui;
  }

  test('up shows a chip; End on the empty composer returns; sending returns as well', () => {
    const ui = withHistory();
    ui.press('pageup');
    expect(ui.text).toContain('▼ End returns to the newest');
    ui.press('end');
    expect(ui.text).toContain('message 49');
    ui.input({ type: 'wheel', direction: 'up' });
    expect(ui.state.view.follow).toBe(false);
    ui.type('x');
    ui.press('enter');
    expect(ui.state.view.follow).toBe(true);
  });

  test('near the start fetches older blocks once and keeps the line', () => {
    const ui = withHistory();
    ui.press('ctrl+home');
    expect(ui.asked('loadOlder')).toEqual([{ type: 'loadOlder', sessionId: 's1', beforeRow: 100 }]);
    ui.press('shift+down');
    ui.press('shift+up', 'shift+down', 'shift+down', 'shift+down', 'shift+down');
    expect(ui.asked('loadOlder')).toHaveLength(1);
    const top = ui.screen[1];
    const older = [{ kind: 'user' as const, row_id: 99, text: 'the very first', at: 0 }];
    ui.send({ type: 'history.older', sessionId: 's1', history: { blocks: older, has_more: false } });
    expect(ui.screen[1]).toBe(top);
    ui.press('ctrl+home');
    expect(ui.text).toContain('the very first');
    expect(ui.asked('loadOlder')).toHaveLength(1);
  });
});
