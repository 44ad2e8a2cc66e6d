export type { BudgetReport, TurnResult } from './result/turn-result.ts';
export { type EndCode, type EndReason, explainEnd, formatEndReason, type TurnOutcome } from './result/end-reason.ts';
export { createEngine, type Engine } from './engine/engine.ts';
export type { EngineOptions, EngineTool, OpenSessionOptions, RunOptions } from './engine/engine-options.ts';
export type { Session, Submission, SubmitOptions } from './engine/session.ts';
export type { ControlOutcome, TurnRun } from './engine/turn-run.ts';
export type { TurnEventListener } from './events/event-stream.ts';
export type { TurnEvent, TurnEventBody, TurnEventType } from './events/turn-event.ts';
export type { PromptDraft } from './turn/ports.ts';
