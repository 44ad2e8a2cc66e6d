import type { JsonObject, ToolCall } from '@hermes/providers';
import { nearest } from '@hermes/runtime';
import type { ToolDefinition } from '../definition/tool-definition.ts';
import type { ToolList } from '../registry/tool-registry.ts';
import { parseArguments } from './parse-arguments.ts';
import type { ArgumentValidator } from './validate-arguments.ts';

/** A call that may run, or the reason why it may not, ready to be told to the model. */
export type PreparedCall =
  | { readonly kind: 'ready'; readonly call: ToolCall; readonly definition: ToolDefinition; readonly args: JsonObject }
  | { readonly kind: 'invalid'; readonly call: ToolCall; readonly fault: CallFault; readonly error: string };

export type CallFault = 'unknown_tool' | 'arguments_truncated' | 'arguments_unparseable' | 'arguments_invalid';

/**
 * Decides whether a call can run: the tool is in the session, its arguments are readable and fit the schema.
 * `cut` says that the response ended for lack of room, so that its last call may be incomplete.
 */
export async function prepareCall(
  call: ToolCall,
  tools: ToolList,
  validator: ArgumentValidator,
  cut: boolean,
): Promise<PreparedCall> {
  const definition = tools.find(call.name);
  if (!definition) return invalid(call, 'unknown_tool', unknownTool(call.name, tools.names));
  const parsed = await parseArguments(call.argumentsJson);
  if (!parsed.ok && parsed.reason === 'truncated') {
    return invalid(
      call,
      'arguments_truncated',
      'The arguments were cut off, so the call was not run. Send it again, in smaller parts if it is long.',
    );
  }
  if (!parsed.ok) {
    const problem = parsed.reason === 'not_object' ? 'are not a JSON object' : 'are not valid JSON';
    return invalid(
      call,
      'arguments_unparseable',
      `The arguments ${problem}, so the call was not run. Send it again with a JSON object.`,
    );
  }
  if (cut && parsed.repaired) {
    return invalid(
      call,
      'arguments_truncated',
      'The reply was cut off inside this call, so it was not run. Send it again.',
    );
  }
  const valid = await validator.validate(definition.parameters, parsed.args);
  if (!valid.ok)
    return invalid(call, 'arguments_invalid', `Invalid arguments for ${definition.name}: ${valid.message}.`);
  return { kind: 'ready', call, definition, args: valid.args };
}

function invalid(call: ToolCall, fault: CallFault, message: string): PreparedCall {
  return { kind: 'invalid', call, fault, error: JSON.stringify({ error: message }) };
}

function unknownTool(name: string, names: readonly string[]): string {
  const near = nearest(name, names, 3);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Tools of this session: ${names.join(', ')}.`;
  return `There is no tool named ${JSON.stringify(name.slice(0, 64))}. ${hint}`;
}
