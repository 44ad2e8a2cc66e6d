import { createHash } from 'node:crypto';

/** Parts of one tier in their order; empty ones are dropped. */
export type PromptTier = readonly string[];

/** The three tiers (context spec 1.1): what never changes, what belongs to the project, what belongs to this session. */
export interface PromptTiers {
  readonly stable: PromptTier;
  readonly context: PromptTier;
  readonly volatile: PromptTier;
}

/** A rendered prompt: built once, stored by hash, from then on read back. Tier lengths are bytes of UTF-8. */
export interface RenderedPrompt {
  readonly hash: string;
  readonly text: string;
  readonly stableBytes: number;
  readonly contextBytes: number;
}

/**
 * Joins the tiers into the system prompt.
 *
 * @example
 * renderPrompt({ stable: [identity], context: [], volatile: [environment] }).hash;
 */
export function renderPrompt(tiers: PromptTiers): RenderedPrompt {
  const [stable, context, volatile] = [join(tiers.stable), join(tiers.context), join(tiers.volatile)];
  const text = join([stable, context, volatile]);
  return {
    hash: createHash('sha256').update(text).digest('hex'),
    text,
    stableBytes: Buffer.byteLength(stable),
    contextBytes: Buffer.byteLength(context),
  };
}

function join(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n');
}
