import { readlinkSync } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '@hermes/runtime';
import type { CallContext } from '../program/call-context.ts';

/** A terminal's last session is forgotten after 30 days (CLI spec 3.1). */
const LIFE_MS = 30 * 86_400_000;

/** Variables by which terminals and multiplexers tell their panes apart, the innermost first. */
const PANE_VARIABLES = ['TMUX_PANE', 'ZELLIJ_PANE_ID', 'KITTY_WINDOW_ID', 'WEZTERM_PANE', 'WT_SESSION'];

/** The session this terminal used last, if it is remembered. */
export async function readBreadcrumb(context: CallContext): Promise<string | undefined> {
  const path = breadcrumbPath(context);
  if (path === undefined) return undefined;
  try {
    const { mtimeMs } = await stat(path);
    return Date.now() - mtimeMs < LIFE_MS ? (await readFile(path, 'utf8')).trim() || undefined : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers the session for this terminal. A call outside a terminal leaves nothing. */
export async function writeBreadcrumb(context: CallContext, sessionId: string): Promise<void> {
  const path = breadcrumbPath(context);
  if (path === undefined) return;
  await mkdir(join(context.scope.home, 'terminal-sessions'), { recursive: true, mode: 0o700 });
  await writeFileAtomic(path, sessionId, { mode: 0o600 });
}

function breadcrumbPath(context: CallContext): string | undefined {
  const id = terminalId(context);
  return id === undefined
    ? undefined
    : join(context.scope.home, 'terminal-sessions', id.replaceAll(/[^A-Za-z0-9_-]/gu, '_'));
}

function terminalId({ env }: CallContext): string | undefined {
  if (!process.stdin.isTTY && !process.stdout.isTTY) return undefined;
  const pane = PANE_VARIABLES.find((name) => env[name] !== undefined && env[name] !== '');
  if (pane !== undefined) return `${pane}-${env[pane]}`;
  try {
    return readlinkSync(`/proc/self/fd/${process.stdin.isTTY ? 0 : 1}`);
  } catch {
    return undefined;
  }
}
