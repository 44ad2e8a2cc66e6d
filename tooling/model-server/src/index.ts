export { FAULTS, type FaultName } from './faults.ts';
export { type ModelServer, type ModelServerOptions, startModelServer } from './model-server.ts';
export { type RequestRecord, sharedPrefixBytes } from './request-log.ts';
export { answerScript, faultScript, type RoundsOptions, roundsScript } from './scripts.ts';
export {
  type AnswerStep,
  type ChatBody,
  type ChatMessage,
  callsStep,
  type HttpStep,
  type RawStep,
  type Script,
  type ScriptedCall,
  type SilenceStep,
  type Step,
  textStep,
  type WireToolCall,
  type WireUsage,
} from './step.ts';
