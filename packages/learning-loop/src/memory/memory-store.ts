import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { scanForInjection } from '@hermes/context-engine';
import { withFileLock, writeFileAtomic } from '@hermes/runtime';
import { joinEntries, readEntries, sizeOf } from './memory-file.ts';

export type MemoryTarget = 'memory' | 'user';

/** One change; `oldText` names the entry: whole, or a part of it that occurs in one entry only. */
export type MemoryChange =
  | { readonly action: 'add'; readonly content: string }
  | { readonly action: 'replace'; readonly oldText: string; readonly content: string }
  | { readonly action: 'remove'; readonly oldText: string };

export type MemoryAnswer =
  | { readonly ok: true; readonly message: string; readonly previous?: string; readonly usage: MemoryUsage }
  | { readonly ok: false; readonly error: string; readonly entries?: readonly string[]; readonly usage: MemoryUsage };

export interface MemoryUsage {
  readonly chars: number;
  readonly limit: number;
  readonly entries: number;
}

export interface MemoryOptions {
  /** The profile's `memories/` directory. */
  readonly dir: string;
  /** Largest size of each store in code points (`memory.memory_char_limit`, `memory.user_char_limit`). */
  readonly limits: Readonly<Record<MemoryTarget, number>>;
}

const FILES: Record<MemoryTarget, string> = { memory: 'MEMORY.md', user: 'USER.md' };
const LOCK_WAIT_MS = 5000;

/**
 * Two small files of lasting facts. Markdown on disk is the truth: it is read before every change, under a lock, and replaced as
 * one step, so that edits by hand and by other processes are kept.
 *
 * @example
 * const store = new MemoryStore({ dir: paths.memories, limits: { memory: 2200, user: 1375 } });
 * await store.change('memory', { action: 'add', content: 'Build box: Debian 12.' });
 */
export class MemoryStore {
  readonly #options: MemoryOptions;

  constructor(options: MemoryOptions) {
    this.#options = options;
  }

  entries(target: MemoryTarget): Promise<readonly string[]> {
    return readEntries(this.#path(target));
  }

  limit(target: MemoryTarget): number {
    return this.#options.limits[target];
  }

  async change(target: MemoryTarget, change: MemoryChange): Promise<MemoryAnswer> {
    await mkdir(this.#options.dir, { recursive: true, mode: 0o700 });
    const path = this.#path(target);
    return withFileLock(`${path}.lock`, { waitMs: LOCK_WAIT_MS }, async () => {
      const before = await readEntries(path);
      const planned = plan(before, change);
      const usage = this.#usage(target, planned.ok ? planned.entries : before);
      if (!planned.ok) return { ok: false, error: planned.error, entries: before, usage };
      if (usage.chars > usage.limit && usage.chars > sizeOf(before))
        return tooLong(before, usage, this.#usage(target, before));
      if (planned.entries !== before) await writeFileAtomic(path, joinEntries(planned.entries), { mode: 0o600 });
      const { message, previous } = planned;
      return { ok: true, message, usage, ...(previous === undefined ? {} : { previous }) };
    });
  }

  #path(target: MemoryTarget): string {
    return join(this.#options.dir, FILES[target]);
  }

  #usage(target: MemoryTarget, entries: readonly string[]): MemoryUsage {
    return { chars: sizeOf(entries), limit: this.limit(target), entries: entries.length };
  }
}

type Plan =
  | { readonly ok: true; readonly entries: readonly string[]; readonly message: string; readonly previous?: string }
  | { readonly ok: false; readonly error: string };

function plan(before: readonly string[], change: MemoryChange): Plan {
  const content = change.action === 'remove' ? '' : change.content.trim();
  if (change.action !== 'remove') {
    if (content === '') return { ok: false, error: 'content must not be empty.' };
    const rule = scanForInjection(content, 'strict');
    if (rule)
      return {
        ok: false,
        error: `Not saved: the text looks like an instruction to the agent (${rule}), and memory is read as trusted.`,
      };
  }
  if (change.action === 'add') {
    if (before.includes(content)) return { ok: true, entries: before, message: 'That entry is already there.' };
    return { ok: true, entries: [...before, content], message: 'Saved.' };
  }
  const found = find(before, change.oldText.trim());
  if (!found.ok) return found;
  const entries = before.flatMap((entry, index) =>
    index === found.index ? (content === '' ? [] : [content]) : [entry],
  );
  const message = change.action === 'replace' ? 'Replaced.' : 'Removed.';
  return { ok: true, entries: [...new Set(entries)], message, previous: found.entry };
}

type Found =
  | { readonly ok: true; readonly index: number; readonly entry: string }
  | { readonly ok: false; readonly error: string };

/** The whole entry first, then a part that only one entry holds. */
function find(entries: readonly string[], oldText: string): Found {
  if (oldText === '') return { ok: false, error: 'old_text is needed: the entry, or a part that only it has.' };
  const whole = entries.indexOf(oldText);
  const matches = whole === -1 ? entries.flatMap((entry, index) => (entry.includes(oldText) ? [index] : [])) : [whole];
  const [index] = matches;
  if (index === undefined) return { ok: false, error: 'No entry contains old_text.' };
  if (matches.length > 1)
    return { ok: false, error: `old_text is in ${matches.length} entries; give a longer part of one.` };
  return { ok: true, index, entry: entries[index] ?? '' };
}

function tooLong(entries: readonly string[], wanted: MemoryUsage, now: MemoryUsage): MemoryAnswer {
  const error = `Not saved: the store would hold ${wanted.chars} of ${wanted.limit} characters. Replace or remove entries first; nothing was changed.`;
  return { ok: false, error, entries, usage: now };
}
