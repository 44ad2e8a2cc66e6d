import type { JsonObject } from '@hermes/providers';
import { Ajv, type ValidateFunction } from 'ajv';

/** Compiles schemas into checks that bring values to the wanted type where that is safe. Loaded with the first call of a tool. */
export function createSchemaCompiler(): (schema: JsonObject) => ValidateFunction {
  const ajv = new Ajv({ allErrors: true, coerceTypes: 'array', strict: false, useDefaults: true });
  return (schema) => ajv.compile(schema);
}
