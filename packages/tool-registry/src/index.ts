export {
  type Effect,
  type EffectClass,
  type HandlerResult,
  type ParallelClass,
  TOOL_OUTCOME,
  type ToolContext,
  type ToolDefinition,
  type ToolOutcome,
  toolOutcome,
} from './definition/tool-definition.ts';
export { type StateKey, stateKey, ToolState } from './definition/tool-state.ts';
