import { scanForInjection, truncateMiddle } from '@hermes/context-engine';
import { joinEntries, sizeOf } from './memory-file.ts';
import type { MemoryStore, MemoryTarget } from './memory-store.ts';
import { usageText } from './memory-tool.ts';

const RULE = '═'.repeat(46);
const TITLES: Record<MemoryTarget, string> = {
  memory: 'MEMORY (your personal notes)',
  user: 'USER PROFILE (who the user is)',
};

/** Text of the prompt for one store, frozen at the start of a session; empty when there is nothing to say (learning spec 3.3). */
export async function memorySnapshot(store: MemoryStore, target: MemoryTarget): Promise<string> {
  const entries = (await store.entries(target)).map(safeEntry);
  if (entries.length === 0) return '';
  const limit = store.limit(target);
  const usage = usageText({ chars: sizeOf(entries), limit, entries: entries.length });
  const { text } = truncateMiddle(joinEntries(entries), Math.max(2 * limit, 4000), `memory ${target}`);
  return [RULE, `${TITLES[target]} [${usage}]`, RULE, text].join('\n');
}

/** Files can be edited by hand or by a program: an entry that gives orders is replaced by a line that says so. */
function safeEntry(entry: string): string {
  const rule = scanForInjection(entry, 'strict');
  return rule ? `[An entry was left out: it contains text of the class ${rule}.]` : entry;
}
