import type { Usage } from '@hermes/providers';

/** A system prompt as it was first rendered, with where its tiers end (bytes of UTF-8). */
export interface FrozenPrompt {
  /** sha256 of the text, hexadecimal. */
  readonly hash: string;
  readonly text: string;
  readonly stableBytes: number;
  readonly contextBytes: number;
}

/** The tool list that belongs to a session's prefix, in its order. */
export interface ToolPin {
  readonly names: readonly string[];
  /** sha256 over the schemas in canonical JSON, hexadecimal. */
  readonly schemaHash: string;
}

export interface NewSession {
  /** Where the conversation began: `cli`, `tui`, `oneshot`, a platform name … */
  readonly source: string;
  readonly profile: string;
  readonly cwd: string;
  readonly provider: string;
  readonly model: string;
  readonly parentSessionId?: string;
  readonly childKind?: 'compression' | 'branch' | 'delegate' | 'reset' | 'import';
}

export interface SessionRecord extends NewSession {
  /** `YYYYMMDD_HHMMSS_<6 hex>`, in UTC. */
  readonly id: string;
  readonly title?: string;
  readonly startedAt: number;
  readonly lastActivityAt: number;
  readonly promptHash?: string;
  readonly toolPin?: ToolPin;
  readonly messageCount: number;
  readonly toolCallCount: number;
  readonly apiCallCount: number;
  readonly usage: Usage;
}

export interface SessionSummary extends SessionRecord {
  /** First words of the first user message, or empty. */
  readonly preview: string;
}

export interface SessionFilter {
  readonly limit: number;
  readonly source?: string;
  readonly cwd?: string;
  /** Also sources that pickers hide (`oneshot`). */
  readonly includeHidden: boolean;
}
