import type { EventPayload, EventType, HostEvent, MethodResult } from '@hermes/host/rpc';
import type { InputEvent } from '../input/input-event.ts';
import { messagesFor, type Messages } from '../language/messages.ts';
import { Drawing } from '../screen/drawing.ts';
import type { Effect, Env, UiMessage } from '../state/message.ts';
import { initialState, type UiState } from '../state/ui-state.ts';
import { update } from '../state/update.ts';
import { createPaint } from '../text/style.ts';
import { HELLO, session } from './host-double.ts';

interface Start {
  readonly columns?: number;
  readonly rows?: number;
  readonly messages?: Messages;
  readonly resumeRef?: string;
}

type EffectOf<T extends Effect['type']> = Effect & { readonly type: T };

/** The interface without a terminal and without time: keys and messages go in, the state, effects and frames are looked at. */
export class UiDriver {
  state: UiState;
  now = 1_000_000;
  readonly effects: Effect[] = [];
  readonly drawing: Drawing;
  #ids = 0;
  #seq = 0;

  constructor({ columns = 80, rows = 24, messages = messagesFor('en'), resumeRef }: Start = {}) {
    this.drawing = new Drawing(messages, createPaint({ color: false }));
    const about = { version: '1.0.0', profile: 'default', cwd: '/home/user/project' };
    this.state = initialState({ columns, rows, now: this.now, ...about, resumeRef: resumeRef ?? null });
  }

  /** A driver whose backend is there, with a model and an open session. */
  static ready(start: Start = {}): UiDriver {
    const ui = new UiDriver(start);
    ui.backendReady();
    ui.send({ type: 'session.created', session: session('s1') });
    return ui;
  }

  send(message: UiMessage): void {
    const { drawing, now } = this;
    const env: Env = {
      now,
      messages: drawing.messages,
      paint: drawing.paint,
      newId: () => `id-${++this.#ids}`,
      linesOf: (state) => drawing.linesOf(state),
    };
    const { state, effects } = update(this.state, message, env);
    this.state = state;
    this.effects.push(...effects);
  }

  backendReady(hello: Partial<MethodResult<'hello'>> = {}): void {
    this.send({
      type: 'backend.ready',
      hello: { ...HELLO, ...hello },
      commands: [{ name: 'status', aliases: ['st'], arguments: '', description: 'What this session uses' }],
    });
  }

  /** Presses keys, a moment apart. */
  press(...keys: string[]): void {
    for (const key of keys) this.input({ type: 'key', key });
  }

  type(text: string): void {
    this.input({ type: 'text', text });
  }

  input(...events: InputEvent[]): void {
    this.now += 20;
    this.send({ type: 'input', events });
  }

  wait(ms: number): void {
    this.now += ms;
    this.send({ type: 'tick' });
  }

  host<T extends EventType>(type: T, payload: EventPayload<T>): void {
    const event = { type, session_id: 's1', seq: ++this.#seq, payload } as HostEvent;
    this.send({ type: 'host.events', events: [event] });
  }

  /** Effects of one type, in order. */
  asked<T extends Effect['type']>(type: T): EffectOf<T>[] {
    return this.effects.filter((effect): effect is EffectOf<T> => effect.type === type);
  }

  /** The host starts a turn with the message that was submitted last. */
  startTurn(): void {
    const { requestId, text } = this.asked('submit').at(-1) ?? { requestId: '', text: '' };
    this.host('message.start', { turn_id: 't1', admission_id: `a-${requestId}`, text });
    this.send({ type: 'prompt.admitted', requestId, status: 'streaming', admissionId: `a-${requestId}` });
  }

  endTurn(text: string, more: Partial<EventPayload<'message.complete'>> = {}): void {
    const usage = { input: 0, output: 0, cache_read: 0, cache_write: 0, reasoning: 0 };
    const end = {
      status: 'completed' as const,
      end_reason: 'final_text',
      explanation: null,
      api_calls: 1,
      duration_ms: 2000,
    };
    this.host('message.complete', { turn_id: 't1', text, usage, ...end, ...more });
  }

  /** The screen as text, without looks and without spaces at line ends. */
  get screen(): string[] {
    return this.drawing.frame(this.state).lines.map((line) => line.replaceAll(/\u001b\[[\d;]*m/g, '').trimEnd());
  }

  get text(): string {
    return this.screen.join('\n');
  }
}
