import { createHash } from 'node:crypto';
import { asObject, asText } from '../message/json.ts';
import type { JsonObject, JsonValue, ToolCall } from '../message/message.ts';

/** A call while its pieces arrive. */
export interface GrowingCall {
  readonly position: number;
  id: string | undefined;
  name: string | undefined;
  argumentsJson: string;
  extra: Record<string, JsonValue>;
}

/**
 * Puts the calls of a streamed answer together. Pieces are told apart by their index, then by their id; a new id under an
 * old index opens a new call; a name or id that comes late is merged; arguments sent as an object become text.
 * Source: turn engine spec 13, "Streaming accumulator".
 */
export class ToolCallAssembly {
  readonly #calls: GrowingCall[] = [];
  readonly #byIndex = new Map<number, GrowingCall>();

  /** Adds one element of `delta.tool_calls` and returns the call it belongs to. */
  add(piece: JsonObject): GrowingCall {
    const { index, id, type: _type, function: inner, ...added } = piece;
    const { name, arguments: args, ...addedToFunction } = asObject(inner) ?? {};
    const call = this.#callFor(index, asText(id), asText(name));
    call.id ??= asText(id);
    call.name ??= asText(name);
    call.argumentsJson += argumentsText(args);
    addExtra(call, added);
    if (Object.keys(addedToFunction).length > 0) {
      addExtra(call, { function: { ...asObject(call.extra.function), ...addedToFunction } });
    }
    return call;
  }

  /** The complete calls, in the order in which they were opened. */
  finish(): ToolCall[] {
    return this.#calls.filter(({ name, argumentsJson }) => name !== undefined || argumentsJson !== '').map(toolCall);
  }

  #callFor(index: JsonValue | undefined, id: string | undefined, name: string | undefined): GrowingCall {
    if (typeof index === 'number') {
      const known = this.#byIndex.get(index);
      if (known !== undefined && (id === undefined || known.id === undefined || known.id === id)) return known;
      const opened = this.#open();
      this.#byIndex.set(index, opened);
      return opened;
    }
    const known = id === undefined ? this.#continued(name) : this.#calls.find((call) => call.id === id);
    return known ?? this.#open();
  }

  /** Without index and id a piece continues the last call, unless it names a function and that call has its name. */
  #continued(name: string | undefined): GrowingCall | undefined {
    const last = this.#calls.at(-1);
    return name !== undefined && last?.name !== undefined ? undefined : last;
  }

  #open(): GrowingCall {
    const call: GrowingCall = {
      position: this.#calls.length,
      id: undefined,
      name: undefined,
      argumentsJson: '',
      extra: {},
    };
    this.#calls.push(call);
    return call;
  }
}

function argumentsText(args: JsonValue | undefined): string {
  if (args === undefined || args === null) return '';
  return typeof args === 'string' ? args : JSON.stringify(args);
}

function addExtra(call: GrowingCall, added: JsonObject): void {
  for (const [field, value] of Object.entries(added)) {
    if (value !== null) call.extra[field] = value;
  }
}

function toolCall({ position, id, name = '', argumentsJson, extra }: GrowingCall): ToolCall {
  return {
    id: id ?? derivedId(name, argumentsJson, position),
    name,
    argumentsJson,
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** Never random: ids become part of cached prefixes. Source: turn engine spec 13. */
function derivedId(name: string, argumentsJson: string, position: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([name, argumentsJson, position]))
    .digest('hex');
  return `call_${hash.slice(0, 24)}`;
}
