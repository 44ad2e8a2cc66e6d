import { createHash } from 'node:crypto';
import type { ToolSchema } from '@hermes/providers';
import { HermesError } from '@hermes/runtime';
import type { ToolDefinition } from '../definition/tool-definition.ts';

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/u;

export interface ToolSelection {
  /** Only tools of these sets; all when absent. */
  readonly toolsets?: readonly string[];
}

/**
 * The tools there are. "Registered" is not yet "in this session": a session takes a fixed `ToolList` from here.
 *
 * @example
 * const registry = new ToolRegistry();
 * registry.register(readFile);
 * const tools = registry.list();
 */
export class ToolRegistry {
  readonly #byName = new Map<string, ToolDefinition>();

  /**
   * Adds a tool. The same name from the same set replaces it; from another set it is refused, and the old entry stays.
   * Throws a `HermesError` that names the offender.
   */
  register(definition: ToolDefinition): void {
    if (!TOOL_NAME.test(definition.name)) {
      throw new HermesError(
        'tool_invalid',
        `Tool name ${JSON.stringify(definition.name)} must match ${TOOL_NAME.source}.`,
      );
    }
    if (definition.parameters.type !== 'object') {
      throw new HermesError(
        'tool_invalid',
        `Tool ${definition.name}: parameters must be a JSON Schema of type object.`,
      );
    }
    const earlier = this.#byName.get(definition.name);
    if (earlier && earlier.toolset !== definition.toolset) {
      throw new HermesError(
        'tool_conflict',
        `Tool ${definition.name} of set ${definition.toolset} is refused: set ${earlier.toolset} has a tool of that name.`,
      );
    }
    this.#byName.set(definition.name, definition);
  }

  /** The tools of a session, sorted by name. */
  list(selection: ToolSelection = {}): ToolList {
    const { toolsets } = selection;
    const chosen = [...this.#byName.values()].filter((tool) => !toolsets || toolsets.includes(tool.toolset));
    return new ToolList(chosen.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  }
}

/** The tools of one session, frozen: their order and bytes are part of the prompt prefix. */
export class ToolList {
  readonly definitions: readonly ToolDefinition[];
  readonly schemas: readonly ToolSchema[];
  readonly names: readonly string[];
  /** sha256 over the schemas, hexadecimal. */
  readonly schemaHash: string;
  readonly #lookup = new Map<string, ToolDefinition>();

  constructor(definitions: readonly ToolDefinition[]) {
    this.definitions = definitions;
    this.schemas = definitions.map(({ name, description, parameters }) => ({ name, description, parameters }));
    this.names = definitions.map(({ name }) => name);
    this.schemaHash = createHash('sha256').update(JSON.stringify(this.schemas)).digest('hex');
    for (const definition of definitions) {
      for (const alias of definition.aliases ?? []) this.#lookup.set(normalized(alias), definition);
    }
    for (const definition of definitions) this.#lookup.set(normalized(definition.name), definition);
  }

  /** The tool a model meant: exact, by alias, or differing only in case and separators. */
  find(name: string): ToolDefinition | undefined {
    return this.#lookup.get(normalized(name));
  }
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/gu, '');
}
