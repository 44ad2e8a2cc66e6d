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
    const candidate = withParsedTexts(structuredClone(args) as Record<string, JsonValue>, schema);
    if (validate(candidate)) return { ok: true, args: candidate };
    return { ok: false, message: (validate.errors ?? []).slice(0, MAX_MESSAGES).map(describe).join('; ') };
  }

  async #compile(schema: JsonObject): Promise<ValidateFunction> {
    let compiled = this.#compiled.get(schema);
    if (!compiled) {
      this.#compiler ??= import('./schema-compiler.ts').then((module) => module.createSchemaCompiler());
      compiled = (await this.#compiler)(schema);
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

/** Top-level texts that hold the JSON of the object or array the schema wants. */
function withParsedTexts(args: Record<string, JsonValue>, schema: JsonObject): Record<string, JsonValue> {
  const properties = schema.properties;
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return args;
  for (const [name, value] of Object.entries(args)) {
    const wanted = (properties as JsonObject)[name];
    if (typeof value !== 'string' || typeof wanted !== 'object' || wanted === null) continue;
    const type = (wanted as JsonObject).type;
    if (type === 'object' || type === 'array') args[name] = parsedOr(value);
  }
  return args;
}

function parsedOr(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue;
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}
