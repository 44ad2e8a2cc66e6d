export type { BudgetReport, TurnResult } from './result/turn-result.ts';
export { type EndCode, type EndReason, explainEnd, formatEndReason, type TurnOutcome } from './result/end-reason.ts';
export { createEngine, type Engine } from './engine/engine.ts';
export type { EngineOptions, EngineTool, OpenSessionOptions, RunOptions } from './engine/engine-options.ts';
export type { Session, Submission, SubmitOptions } from './engine/session.ts';
export type { ControlOutcome, TurnRun } from './engine/turn-run.ts';
export type { TurnEventListener } from './events/event-stream.ts';
export type { TurnEvent, TurnEventBody, TurnEventType } from './events/turn-event.ts';
export type { PromptDraft } from './turn/ports.ts';
export { chatModel, type ChatModelOptions } from './engine/chat-model.ts';
export {
  type FailureReason,
  type JsonObject,
  type JsonValue,
  type Message,
  type ModelClient,
  type ModelRequest,
  type ModelResponse,
  ProviderError,
  type Route,
  type StreamPart,
  type ToolCall,
  type ToolSchema,
  type Usage,
} from '@hermes/providers';
export type { Admission, AdmissionIntent, SessionRecord, SessionStore } from '@hermes/session-db';
export type { ToolContext } from '@hermes/tool-registry';
export { type Clock, systemClock } from '@hermes/runtime';
