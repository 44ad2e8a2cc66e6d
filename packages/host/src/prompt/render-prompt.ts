import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import {
  contextFileCap,
  defaultTiers,
  loadContextFiles,
  renderPrompt,
  scanForInjection,
  truncateMiddle,
} from '@hermes/context-engine';
import { type MemoryStore, memorySnapshot, type MemoryTarget } from '@hermes/learning-loop';
import type { Route } from '@hermes/providers';
import { type HomeScope, homePaths, messageOf } from '@hermes/runtime';
import type { Config } from '@hermes/runtime/config';
import type { SessionRecord } from '@hermes/session-db';
import type { ToolList } from '@hermes/tool-registry';
import type { PromptDraft } from '@hermes/turn-engine';

export interface PromptSources {
  readonly scope: HomeScope;
  readonly config: Config;
  readonly memory: MemoryStore;
  readonly memoryTargets: readonly MemoryTarget[];
  readonly route: Route;
  /** Leaves out SOUL.md, project files and memory. */
  readonly ignoreRules: boolean;
}

/** Renders the frozen prompt of a new session from the profile, the project and memory. */
export async function renderSessionPrompt(
  session: SessionRecord,
  tools: ToolList,
  sources: PromptSources,
): Promise<PromptDraft> {
  const { config, route, scope } = sources;
  const maxChars = config.context_file_max_chars ?? contextFileCap(route.contextWindow);
  const notices: string[] = [];
  const personal = sources.ignoreRules ? undefined : await readPersonal(session, sources, maxChars, notices);
  const tiers = defaultTiers({
    soul: personal?.soul ?? '',
    toolNames: tools.names,
    surface: session.source,
    systemMessage: '',
    projectInstructions: personal?.project ?? '',
    memory: personal?.memory ?? [],
    startedAt: session.startedAt,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    model: route.model,
    provider: route.provider,
    environment: { host: hostname(), platform: process.platform, home: scope.home, cwd: session.cwd },
  });
  return { prompt: renderPrompt(tiers), notices };
}

async function readPersonal(session: SessionRecord, sources: PromptSources, maxChars: number, notices: string[]) {
  const [soul, project, ...memory] = await Promise.all([
    readSoul(homePaths(sources.scope.home).soul, maxChars, notices),
    loadContextFiles({ cwd: session.cwd, maxChars }),
    ...sources.memoryTargets.map((target) => memorySnapshot(sources.memory, target)),
  ]);
  notices.push(...project.notices);
  return { soul, project: project.text, memory };
}

/** Identity of the profile; empty when there is none to use, which means the built-in one. */
async function readSoul(path: string, maxChars: number, notices: string[]): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing) notices.push(`SOUL.md could not be read: ${messageOf(error)}`);
    return '';
  });
  const rule = scanForInjection(text, 'context');
  if (rule) {
    notices.push(`SOUL.md was left out: it contains text of the class ${rule}.`);
    return '';
  }
  const cut = truncateMiddle(text.trim(), maxChars, 'SOUL.md');
  if (cut.cut) notices.push(`SOUL.md is longer than ${maxChars} characters; its middle was left out.`);
  return cut.text;
}
