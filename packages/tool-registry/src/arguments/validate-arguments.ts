import type { JsonObject, JsonValue } from '@hermes/providers';
import type { ErrorObject, ValidateFunction } from 'ajv';

/** At most this many problems become the error text (tools spec 4.3). */
const MAX_MESSAGES = 5;

export type ValidArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly message: string };

/**
 * Checks arguments against a tool's schema. Models write `"5"` for 5 and `"true"` for true: such values are brought to the type the
 * schema asks for, and JSON texts become the object or list that is expected; what still does not fit is an error for the model.
 */
export class ArgumentValidator {
  readonly #compiled = new WeakMap<JsonObject, ValidateFunction>();
  #compiler: Promise<(schema: JsonObject) => ValidateFunction> | undefined;

  async validate(schema: JsonObject, args: JsonObject): Promise<ValidArguments> {
    const validate = await this.#compile(schema);
    const candidate = prepared(structuredClone(args) as Record<string, JsonValue>, schema);
    if (validate(candidate)) return { ok: true, args: candidate };
    return { ok: false, message: (validate.errors ?? []).slice(0, MAX_MESSAGES).map(describe).join('; ') };
  }

  /** Loads what checking needs, so that the first call of a tool does not wait for it. */
  async warmUp(): Promise<void> {
    await this.#load();
  }

  #load(): Promise<(schema: JsonObject) => ValidateFunction> {
    this.#compiler ??= import('./schema-compiler.ts').then((module) => module.createSchemaCompiler());
    return this.#compiler;
  }

  async #compile(schema: JsonObject): Promise<ValidateFunction> {
    let compiled = this.#compiled.get(schema);
    if (!compiled) {
      compiled = (await this.#load())(schema);
      this.#compiled.set(schema, compiled);
    }
    return compiled;
  }
}

function describe(error: ErrorObject): string {
  const where = error.instancePath === '' ? 'arguments' : error.instancePath.slice(1).replaceAll('/', '.');
  const allowed = error.keyword === 'enum' ? ` (${String(error.params.allowedValues)})` : '';
  const extra = error.keyword === 'additionalProperties' ? `: ${String(error.params.additionalProperty)}` : '';
  return `${where} ${error.message ?? 'is invalid'}${extra}${allowed}`;
}

/**
 * Top-level values as the schema may mean them: a text that holds the JSON of the wanted object or array is read, and a null where
 * none is allowed counts as left out. (The validator would make an empty text of it, and a file could be emptied by that.)
 */
function prepared(args: Record<string, JsonValue>, schema: JsonObject): Record<string, JsonValue> {
  for (const [name, value] of Object.entries(args)) {
    const types = typesOf(schema, name);
    if (value === null && types.length > 0 && !types.includes('null')) delete args[name];
    else if (typeof value === 'string' && (types.includes('object') || types.includes('array')))
      args[name] = parsedOr(value);
  }
  return args;
}

function typesOf(schema: JsonObject, name: string): readonly JsonValue[] {
  const property = objectOr(objectOr(schema.properties)[name]);
  const { type } = property;
  if (type === undefined) return [];
  return Array.isArray(type) ? type : [type];
}

function objectOr(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function parsedOr(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue;
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}
