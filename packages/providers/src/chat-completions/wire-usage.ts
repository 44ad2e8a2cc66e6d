import type { Usage } from '../client/model-client.ts';
import { asObject } from '../message/json.ts';
import type { JsonValue } from '../message/message.ts';

/**
 * Token counts of an answer. The wire counts cached tokens as part of the prompt; here they stand apart. Of the field
 * names in use the first that is not zero counts, and negative numbers are zero. Source: turn engine spec 18, "Usage".
 *
 * @returns `undefined` when the value holds no counts
 */
export function usageOf(value: JsonValue | undefined): Usage | undefined {
  const usage = asObject(value);
  if (usage === undefined) return undefined;
  const prompt = asObject(usage.prompt_tokens_details) ?? asObject(usage.input_tokens_details);
  const completion = asObject(usage.completion_tokens_details) ?? asObject(usage.output_tokens_details);
  const total = first(usage.prompt_tokens, usage.input_tokens);
  const cacheRead = first(
    prompt?.cached_tokens,
    usage.cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.cache_read_input_tokens,
  );
  const cacheWrite = first(prompt?.cache_write_tokens, usage.cache_creation_input_tokens);
  const output = first(usage.completion_tokens, usage.output_tokens);
  if (total + output === 0) return undefined;
  return {
    input: Math.max(0, total - cacheRead - cacheWrite),
    output,
    cacheRead,
    cacheWrite,
    reasoning: first(completion?.reasoning_tokens, usage.reasoning_tokens),
  };
}

function first(...values: readonly (JsonValue | undefined)[]): number {
  const counts = values.map((value) => (typeof value === 'number' ? Math.max(0, value) : 0));
  return counts.find((count) => count > 0) ?? 0;
}
