export { endsInsideString, parseArguments, type ParsedArguments } from './arguments/parse-arguments.ts';
export { type CallFault, type PreparedCall, prepareCall } from './arguments/prepare-call.ts';
export { ArgumentValidator, type ValidArguments } from './arguments/validate-arguments.ts';
export {
  type Effect,
  type EffectClass,
  type HandlerResult,
  type ParallelClass,
  type ToolContext,
  type ToolDefinition,
  type ToolOutcome,
  toolOutcome,
} from './definition/tool-definition.ts';
export { type StateKey, stateKey, ToolState } from './definition/tool-state.ts';
export { runTool, type ToolRunResult, type ToolStatus } from './dispatch/run-tool.ts';
export { MAX_PARALLEL_CALLS, planSegments, type Segment } from './plan/plan-segments.ts';
export { ToolList, ToolRegistry, type ToolSelection } from './registry/tool-registry.ts';
