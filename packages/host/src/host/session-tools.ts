import type { ToolDefinition } from '@hermes/tool-registry';
import { builtinTools } from '@hermes/tools';

/** The built-in tools with what the settings say about them. What the model reads of them stays the same: it is part of the prefix. */
export function configuredTools(settings: { readonly commandTimeoutSeconds: number }): readonly ToolDefinition[] {
  return builtinTools.map((tool) =>
    tool.name === 'terminal' ? withTimeout(tool, settings.commandTimeoutSeconds) : tool,
  );
}

function withTimeout(tool: ToolDefinition, timeout: number): ToolDefinition {
  return {
    ...tool,
    handler: (args, context) => tool.handler(args.timeout === undefined ? { ...args, timeout } : args, context),
  };
}
