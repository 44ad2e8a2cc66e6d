import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { messageOf } from '@hermes/runtime';
import { scanForInjection } from './injection-scan.ts';
import { truncateMiddle } from './truncate.ts';

/** Time one context file may take to be read, in milliseconds (context spec 2.2). */
const READ_TIMEOUT_MS = 5000;

/** Larger files are not read at all: nothing that long is an instruction. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

export interface ContextFilesOptions {
  /** Absolute working directory of the session. */
  readonly cwd: string;
  /** Characters one file, and the merged chain, may take. */
  readonly maxChars: number;
  /** Milliseconds a file may take. Default 5,000. */
  readonly readTimeoutMs?: number;
}

export interface ContextFiles {
  /** Text for the context tier; empty when there is none. */
  readonly text: string;
  /** Files that went in, absolute. */
  readonly files: readonly string[];
  /** What the user should know: files cut, skipped or refused. */
  readonly notices: readonly string[];
}

interface Found {
  readonly path: string;
  readonly text: string;
}

/**
 * Finds the project's instructions for agents. One kind wins, the first with any non-empty file: `.hermes.md` (nearest, up to the
 * git root), `AGENTS.md` (every directory from the git root down), `CLAUDE.md` (here), Cursor rules (here). A file that tries to
 * give orders to the agent is replaced by one line that says so; files that cannot be read in time are skipped with a notice.
 *
 * @example
 * const { text, notices } = await loadContextFiles({ cwd: '/home/ada/atlas', maxChars: 30_720 });
 */
export async function loadContextFiles(options: ContextFilesOptions): Promise<ContextFiles> {
  const notices: string[] = [];
  const reader = new ContextFileReader(options.readTimeoutMs ?? READ_TIMEOUT_MS, notices);
  const chain = await directoriesFromGitRoot(options.cwd);
  for (const find of [findHermesFile, findAgentsFiles, findClaudeFile, findCursorRules]) {
    const found = await find(chain, reader);
    if (found.length > 0) return render(found, chain, options.maxChars, notices);
  }
  return { text: '', files: [], notices };
}

type Finder = (chain: readonly string[], reader: ContextFileReader) => Promise<readonly Found[]>;

const findHermesFile: Finder = async (chain, reader) => {
  for (const directory of chain.toReversed()) {
    const found = await reader.first(directory, ['.hermes.md', 'HERMES.md']);
    if (found) return [{ ...found, text: withoutFrontMatter(found.text) }];
  }
  return [];
};

const findAgentsFiles: Finder = async (chain, reader) => {
  const found: Found[] = [];
  for (const directory of chain) {
    const file = await reader.first(directory, ['AGENTS.override.md', 'AGENTS.md', 'agents.md']);
    if (file && !found.some((earlier) => earlier.text === file.text)) found.push(file);
  }
  return found;
};

const findClaudeFile: Finder = async (chain, reader) => {
  const found = await reader.first(chain.at(-1) ?? '.', ['CLAUDE.md', 'claude.md']);
  return found ? [found] : [];
};

const findCursorRules: Finder = async (chain, reader) => {
  const cwd = chain.at(-1) ?? '.';
  const rules = join(cwd, '.cursor', 'rules');
  const names = await readdir(rules).catch(() => []);
  const paths = [
    join(cwd, '.cursorrules'),
    ...names
      .filter((name) => name.endsWith('.mdc'))
      .toSorted()
      .map((name) => join(rules, name)),
  ];
  const found: Found[] = [];
  for (const path of paths) {
    const text = await reader.read(path);
    if (text !== undefined) found.push({ path, text });
  }
  return found;
};

function render(found: readonly Found[], chain: readonly string[], maxChars: number, notices: string[]): ContextFiles {
  const root = chain[0] ?? '.';
  const sections = found.map(({ path, text }) => {
    const name = relative(root, path) || path;
    const rule = scanForInjection(text, 'context');
    if (rule) {
      notices.push(`${name} was left out: it contains text that tries to steer the agent (${rule}).`);
      return `## ${name}\n\n[Left out: this file contains text of the class ${rule}.]`;
    }
    const cut = truncateMiddle(text, maxChars, name);
    if (cut.cut) notices.push(`${name} is longer than ${maxChars} characters; its middle was left out.`);
    return `## ${name}\n\n${cut.text}`;
  });
  const merged = truncateMiddle(sections.join('\n\n'), maxChars, 'project instructions');
  return { text: `# Project instructions\n\n${merged.text}`, files: found.map(({ path }) => path), notices };
}

/** Directories from the git root down to the working directory; only the latter outside a repository. */
async function directoriesFromGitRoot(cwd: string): Promise<readonly string[]> {
  const chain: string[] = [];
  for (let directory = resolve(cwd); ; directory = dirname(directory)) {
    chain.unshift(directory);
    const isRoot = await stat(join(directory, '.git')).then(
      () => true,
      () => false,
    );
    if (isRoot) return chain;
    if (dirname(directory) === directory) return [resolve(cwd)];
  }
}

class ContextFileReader {
  readonly #timeoutMs: number;
  readonly #notices: string[];

  constructor(timeoutMs: number, notices: string[]) {
    this.#timeoutMs = timeoutMs;
    this.#notices = notices;
  }

  async first(directory: string, names: readonly string[]): Promise<Found | undefined> {
    for (const name of names) {
      const path = join(directory, name);
      const text = await this.read(path);
      if (text !== undefined) return { path, text };
    }
    return undefined;
  }

  /** Trimmed text of a regular file; undefined when it is missing, empty, unreadable or too slow. */
  async read(path: string): Promise<string | undefined> {
    try {
      const info = await stat(path);
      if (!info.isFile()) {
        if (!info.isDirectory()) this.#notices.push(`${path} was skipped: it is not a regular file.`);
        return undefined;
      }
      if (info.size > MAX_FILE_BYTES) {
        this.#notices.push(`${path} was skipped: it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
        return undefined;
      }
      const text = await readFile(path, { encoding: 'utf8', signal: AbortSignal.timeout(this.#timeoutMs) });
      if (text.includes('\0')) {
        this.#notices.push(`${path} was skipped: it is not a text file.`);
        return undefined;
      }
      return text.replace(/^\uFEFF/u, '').trim() || undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      this.#notices.push(`${path} was skipped: ${messageOf(error)}`);
      return undefined;
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^---\r?\n[\s\S]*?\r?\n---(?:\r?\n|$)/u, '').trim();
}
