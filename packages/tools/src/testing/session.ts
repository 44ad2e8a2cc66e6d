import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '@hermes/providers';
import { processEnvironment, systemClock } from '@hermes/runtime';
import { type Effect, type ToolContext, type ToolDefinition, type ToolOutcome, ToolState } from '@hermes/tool-registry';
import { onTestFinished } from 'vitest';

/** What a call gave back, parsed. */
export interface CallResult {
  // A result is whatever JSON the tool wrote; tests look into it freely.
  readonly json: Record<string, unknown>;
  readonly effect: Effect | undefined;
  readonly preview: string;
  readonly diff: string | undefined;
}

/** A session for tests: its own home, workspace and tool memory, removed when the test ends. */
export class TestSession {
  readonly root: string;
  readonly home: string;
  /** The workspace; relative paths of the helpers are inside it. */
  readonly cwd: string;
  readonly state = new ToolState();
  readonly reports: string[] = [];
  readonly #abort = new AbortController();
  readonly #env: Readonly<Record<string, string>>;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-tools-')));
    this.home = join(this.root, 'home');
    this.cwd = join(this.root, 'work');
    mkdirSync(this.home);
    mkdirSync(this.cwd);
    this.#env = { PATH: processEnvironment()['PATH'] ?? '', HOME: this.home, LANG: 'C.UTF-8', ...env };
    onTestFinished(() => this.close());
  }

  close(): void {
    this.state.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  context(changes: Partial<ToolContext> = {}): ToolContext {
    return {
      sessionId: 'session',
      turnId: 'turn',
      callId: 'call',
      cwd: this.cwd,
      signal: this.#abort.signal,
      clock: systemClock,
      state: this.state,
      childEnv: this.#env,
      cacheDir: join(this.home, '.hermes', 'cache'),
      progress: (text) => void this.reports.push(text),
      ...changes,
    };
  }

  async call(tool: ToolDefinition, args: JsonObject, changes: Partial<ToolContext> = {}): Promise<CallResult> {
    const outcome = await tool.handler(args, this.context(changes));
    if (!isOutcome(outcome)) throw new Error(`${tool.name} gave no outcome: ${JSON.stringify(outcome)}`);
    const json: unknown = JSON.parse(outcome.content);
    if (typeof json !== 'object' || json === null) throw new Error(`${tool.name} gave no object: ${outcome.content}`);
    return { json: { ...json }, effect: outcome.effect, preview: outcome.preview ?? '', diff: outcome.diff };
  }

  path(name: string): string {
    return join(this.cwd, name);
  }

  write(name: string, content: string | Uint8Array): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  bytes(name: string): Buffer {
    return readFileSync(this.path(name));
  }
}

function isOutcome(value: unknown): value is ToolOutcome {
  return typeof value === 'object' && value !== null && 'content' in value && typeof value.content === 'string';
}
