import type { JsonObject } from '@hermes/providers';

/** A text argument; undefined when it is absent or of another type. */
export function textArgument(args: JsonObject, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}

/** A finite number, else `fallback`. */
export function numberArgument(args: JsonObject, name: string, fallback: number): number {
  const value = args[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}

/** A whole number brought into `[least, most]`, else `fallback`. */
export function countArgument(args: JsonObject, name: string, fallback: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.trunc(numberArgument(args, name, fallback))));
}

export function flagArgument(args: JsonObject, name: string): boolean {
  return args[name] === true;
}
