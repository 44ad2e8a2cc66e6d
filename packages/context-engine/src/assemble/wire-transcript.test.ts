import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type TranscriptRow, WireTranscript } from './wire-transcript.ts';

const user = (content: string): TranscriptRow => ({ role: 'user', content });
const assistant = (content: string, ...ids: string[]): TranscriptRow => ({
  role: 'assistant',
  content,
  toolCalls: ids.map((id) => ({ id, name: 'tool', argumentsJson: '{}' })),
});
const result = (toolCallId: string): TranscriptRow => ({
  role: 'tool',
  content: `result of ${toolCallId}`,
  toolCallId,
  toolName: 'tool',
});

describe('the wire transcript', () => {
  test('sends what was sent the first time and leaves out what only people saw', () => {
    const wire = new WireTranscript([
      { ...user('see @file'), apiContent: 'see @file\n<contents>' },
      { ...assistant('half an answ'), displayKind: 'interrupted_partial' },
      { ...assistant('[interrupted]'), displayKind: 'failed_turn' },
    ]);
    expect(wire.messages).toEqual([
      { role: 'user', content: 'see @file\n<contents>' },
      { role: 'assistant', content: '[interrupted]' },
    ]);
  });

  test('joins neighbouring rows of one role', () => {
    const rows = [user('a'), user('b'), assistant('c'), assistant('d', 'x'), result('x'), user('e')];
    const wire = new WireTranscript(rows);
    expect(wire.messages.map((message) => [message.role, message.content])).toEqual([
      ['user', 'a\n\nb'],
      ['assistant', 'c\n\nd'],
      ['tool', 'result of x'],
      ['user', 'e'],
    ]);
    expect(wire.repairs.joinedRows).toBe(2);
  });

  test('answers a call that has no result and drops a result that has no call', () => {
    const wire = new WireTranscript([user('a'), result('nobody'), assistant('', 'x', 'y'), result('y'), user('b')]);
    expect(wire.messages.map((message) => (message.role === 'tool' ? message.toolCallId : message.role))).toEqual([
      'user',
      'assistant',
      'y',
      'x',
      'user',
    ]);
    expect(wire.repairs).toEqual({ droppedResults: 1, answeredCalls: 1, joinedRows: 0 });
  });

  test('invariant 3: roles alternate and only tool messages repeat; every call has exactly one result, whatever the rows', () => {
    const row = fc.oneof(
      fc.string().map(user),
      fc
        .record({ text: fc.string(), ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }) })
        .map(({ text, ids }) => assistant(text, ...ids)),
      fc.constantFrom('a', 'b', 'c', 'd').map(result),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
        const { messages } = new WireTranscript(rows);
        messages.forEach((message, index) => {
          const next = messages[index + 1];
          if (message.role === 'assistant' && message.toolCalls) {
            const ids = message.toolCalls.map((call) => call.id);
            const answers = messages.slice(index + 1, index + 1 + ids.length);
            expect(new Set(answers.map((answer) => (answer.role === 'tool' ? answer.toolCallId : '')))).toEqual(
              new Set(ids),
            );
          } else if (message.role !== 'tool' && next) {
            expect(next.role).not.toBe(message.role);
          }
          if (message.role === 'tool' && next)
            expect(messages.slice(0, index).some((earlier) => earlier.role === 'assistant')).toBe(true);
        });
      }),
    );
  });

  test('rows that come one by one, in any portions, make the same messages as rows loaded at once', () => {
    const turn = fc.constantFrom(
      [user('q'), assistant('a')],
      [user('q'), assistant('', 'x'), result('x'), assistant('a')],
      [user('q'), assistant('', 'x', 'y'), result('x'), result('y'), user('steer'), user('more'), assistant('a')],
    );
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 8 }), (turns) => {
        const growing = new WireTranscript();
        for (const rows of turns) {
          const before = JSON.stringify(growing.messages).slice(0, -1);
          growing.append(rows);
          expect(JSON.stringify(growing.messages).startsWith(before)).toBe(true);
        }
        expect(growing.messages).toEqual(new WireTranscript(turns.flat()).messages);
      }),
    );
  });
});
