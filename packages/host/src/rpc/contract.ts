import * as z from 'zod';

/**
 * The JSON-RPC contract between a host and its doors (gateway spec 14). One definition gives the TypeScript types, the runtime
 * checks at both ends and the JSON Schema for third parties. Names on the wire are snake_case.
 *
 * Frames are JSON-RPC 2.0: one JSON text per line over stdio, one per text frame over WebSocket. The host speaks first with the
 * notification `gateway.ready`; the client answers with the request `hello`. Everything else follows.
 */
export const PROTOCOL_VERSION = 1;

export const RpcErrorCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  unknownSession: 4001,
  busy: 4009,
  badCwd: 4017,
} as const;

const requestId = z.string().min(1).max(200);
const sessionId = z.string().min(1);

export const routeInfo = z.object({
  provider: z.string(),
  model: z.string(),
  base_url: z.string(),
  context_window: z.number().int().positive(),
  scripted: z.boolean(),
});

export const sessionInfo = z.object({
  session_id: sessionId,
  title: z.string().nullable(),
  source: z.string(),
  cwd: z.string(),
  model: z.string(),
  started_at: z.number(),
  last_activity_at: z.number(),
  message_count: z.number().int(),
  /** First words of the first user message. */
  preview: z.string(),
});

const usage = z.object({
  input: z.number(),
  output: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
  reasoning: z.number(),
});

const toolStatus = z.enum(['ok', 'failed', 'skipped', 'cancelled', 'unknown']);

/** A block of the transcript as a screen shows it. Rows hidden from people never appear here. */
export const historyBlock = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), row_id: z.number(), text: z.string(), at: z.number() }),
  z.object({
    kind: z.literal('assistant'),
    row_id: z.number(),
    text: z.string(),
    reasoning: z.string(),
    at: z.number(),
  }),
  z.object({ kind: z.literal('interrupted'), row_id: z.number(), text: z.string(), at: z.number() }),
  z.object({
    kind: z.literal('tool'),
    row_id: z.number(),
    call_id: z.string(),
    name: z.string(),
    summary: z.string(),
    status: toolStatus,
    preview: z.string(),
    at: z.number(),
  }),
  z.object({ kind: z.literal('notice'), row_id: z.number(), text: z.string(), at: z.number() }),
]);

export const modelOption = z.object({
  provider: z.string(),
  model: z.string(),
  base_url: z.string(),
  /** Where the option comes from: configuration, a server found on this machine, or the built-in demo. */
  origin: z.enum(['config', 'local', 'demo']),
  current: z.boolean(),
});

export const commandInfo = z.object({
  name: z.string(),
  aliases: z.array(z.string()),
  arguments: z.string(),
  description: z.string(),
});

/** Every method: what it takes and what it answers. A method that changes something carries `request_id`. */
export const methods = {
  hello: {
    params: z.object({
      protocol: z.number().int(),
      app_version: z.string(),
      capabilities: z.array(z.string()).default([]),
      profile: z.string().optional(),
    }),
    result: z.object({
      protocol: z.number().int(),
      version: z.string(),
      profile: z.string(),
      home: z.string(),
      /** Null while no provider is configured: prompts are kept and wait. */
      route: routeInfo.nullable(),
      /** Why there is no route, with what to do. */
      route_problem: z.string().nullable(),
      config_warnings: z.array(z.string()),
      /** What Enter does while a turn runs (`display.busy_input_mode`). */
      busy_input: z.enum(['steer', 'queue']),
      show_reasoning: z.boolean(),
    }),
  },
  'session.create': {
    params: z.object({ request_id: requestId, cwd: z.string(), source: z.string().default('tui') }),
    result: z.object({ session: sessionInfo }),
  },
  'session.resume': {
    /** `ref`: exact id, unique id prefix, title, or `latest`. */
    params: z.object({ ref: z.string().min(1), cwd: z.string().optional() }),
    result: z.object({
      session: sessionInfo,
      epoch: z.string(),
      latest_seq: z.number().int(),
      running: z.boolean(),
    }),
  },
  'session.list': {
    params: z.object({ limit: z.number().int().min(1).max(1000).default(50) }),
    result: z.object({ sessions: z.array(sessionInfo) }),
  },
  'session.history': {
    /** Newest `limit` blocks before row `before_row`, in reading order. */
    params: z.object({
      session_id: sessionId,
      before_row: z.number().int().optional(),
      limit: z.number().int().min(1).max(2000).default(400),
    }),
    result: z.object({ blocks: z.array(historyBlock), has_more: z.boolean() }),
  },
  'session.events.since': {
    params: z.object({ session_id: sessionId, epoch: z.string(), last_seen: z.number().int() }),
    result: z.object({
      events: z.array(z.unknown()),
      latest_seq: z.number().int(),
      truncated: z.boolean(),
      epoch: z.string(),
    }),
  },
  'session.interrupt': {
    params: z.object({ session_id: sessionId }),
    result: z.object({ interrupted: z.boolean() }),
  },
  'prompt.submit': {
    /** `intent` says what to do while a turn runs; when none runs it simply starts. */
    params: z.object({
      request_id: requestId,
      session_id: sessionId,
      text: z.string().min(1),
      intent: z.enum(['queue', 'steer']).default('steer'),
    }),
    result: z.object({
      status: z.enum(['streaming', 'queued', 'steered']),
      admission_id: z.string(),
      position: z.number().int(),
    }),
  },
  'model.options': {
    params: z.object({ probe_local: z.boolean().default(false) }),
    result: z.object({ options: z.array(modelOption) }),
  },
  'setup.select_model': {
    /** Chooses the model for new turns of this host; `persist` also writes it to config.yaml. Demo is never persisted. */
    params: z.object({
      request_id: requestId,
      provider: z.string(),
      model: z.string(),
      base_url: z.string().optional(),
      persist: z.boolean(),
    }),
    result: z.object({ route: routeInfo, notice: z.string() }),
  },
  'config.get': {
    params: z.object({ key: z.string() }),
    result: z.object({ value: z.unknown() }),
  },
  'commands.catalog': {
    params: z.object({}),
    result: z.object({ commands: z.array(commandInfo) }),
  },
  'command.dispatch': {
    /** `text` is the whole line, slash included. Text is answered, nothing is sent to the model. */
    params: z.object({ session_id: sessionId.nullable(), text: z.string().min(1) }),
    result: z.discriminatedUnion('type', [
      z.object({ type: z.literal('exec'), output: z.string() }),
      z.object({ type: z.literal('unknown'), output: z.string(), nearest: z.array(z.string()) }),
    ]),
  },
} as const;

export type MethodName = keyof typeof methods;
/** What a caller passes: defaults may be left out. */
export type MethodParams<M extends MethodName> = z.input<(typeof methods)[M]['params']>;
export type MethodResult<M extends MethodName> = z.output<(typeof methods)[M]['result']>;

/** Events, by type, with their payloads. `session_id` and `seq` travel beside the payload. */
export const events = {
  'message.start': z.object({ turn_id: z.string(), admission_id: z.string(), text: z.string() }),
  'message.delta': z.object({ turn_id: z.string(), text: z.string() }),
  /** What was streamed so far is part of a round that calls tools, not the answer. */
  'message.interim': z.object({ turn_id: z.string(), text: z.string() }),
  'message.retracted': z.object({ turn_id: z.string(), cause: z.string() }),
  'message.complete': z.object({
    turn_id: z.string(),
    status: z.enum(['completed', 'incomplete', 'interrupted', 'failed']),
    end_reason: z.string(),
    text: z.string(),
    /** One sentence for the user when the turn did not complete; null otherwise. */
    explanation: z.string().nullable(),
    usage,
    api_calls: z.number().int(),
    duration_ms: z.number(),
  }),
  'reasoning.delta': z.object({ turn_id: z.string(), text: z.string() }),
  'reasoning.available': z.object({ turn_id: z.string(), text: z.string() }),
  'tool.generating': z.object({ turn_id: z.string(), index: z.number().int(), name: z.string(), bytes: z.number() }),
  'tool.start': z.object({
    turn_id: z.string(),
    call_id: z.string(),
    name: z.string(),
    summary: z.string(),
    position: z.number().int(),
  }),
  /** The newest lines of a running tool; each report replaces the one before. */
  'tool.progress': z.object({ turn_id: z.string(), call_id: z.string(), text: z.string() }),
  'tool.complete': z.object({
    turn_id: z.string(),
    call_id: z.string(),
    name: z.string(),
    status: toolStatus,
    duration_ms: z.number(),
    preview: z.string(),
    inline_diff: z.string().optional(),
  }),
  'admission.updated': z.object({
    admission_id: z.string(),
    state: z.enum(['queued', 'started', 'steering', 'delivered', 'returned', 'cancelled', 'settled']),
    text: z.string(),
  }),
  'session.usage': z.object({ turn_id: z.string(), usage, context_tokens: z.number(), context_window: z.number() }),
  'session.title': z.object({ title: z.string() }),
  'status.update': z.object({
    kind: z.enum(['idle', 'starting', 'waiting', 'working', 'retrying', 'stopping']),
    text: z.string(),
  }),
  notice: z.object({ level: z.enum(['info', 'warning', 'error']), code: z.string(), text: z.string() }),
} as const;

export type EventType = keyof typeof events;
export type EventPayload<T extends EventType> = z.output<(typeof events)[T]>;

export type HostEvent = {
  [T in EventType]: {
    readonly type: T;
    readonly session_id: string;
    /** Gap-free per session and epoch. */
    readonly seq: number;
    readonly payload: EventPayload<T>;
  };
}[EventType];

export const readyParams = z.object({
  protocol_version: z.number().int(),
  version: z.string(),
  replay_epoch: z.string(),
});
export type ReadyParams = z.output<typeof readyParams>;

export type HistoryBlock = z.output<typeof historyBlock>;
export type SessionInfo = z.output<typeof sessionInfo>;
export type RouteInfo = z.output<typeof routeInfo>;
export type ModelOption = z.output<typeof modelOption>;
export type CommandInfo = z.output<typeof commandInfo>;
