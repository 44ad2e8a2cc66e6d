import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { type StateKey, stateKey, type ToolContext } from '@hermes/tool-registry';

/** Where the session's shell stands after its last command. */
const SHELL_DIRECTORY: StateKey<{ path: string | undefined }> = stateKey('shellDirectory', () => ({ path: undefined }));

/** The session's live directory: where its shell stands, else where the session was opened. Base of every relative path. */
export function liveDirectory(ctx: ToolContext): string {
  return ctx.state.of(SHELL_DIRECTORY).path ?? ctx.cwd;
}

export function moveTo(ctx: ToolContext, path: string): void {
  ctx.state.of(SHELL_DIRECTORY).path = path;
}

/** The directory itself, or the nearest folder above it that still exists. */
export function existingDirectory(path: string): string {
  let place = path;
  while (!isDirectory(place) && dirname(place) !== place) place = dirname(place);
  return place;
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The home directory that `~` means to the session's programs. */
export function userHome(ctx: ToolContext): string {
  const home = ctx.childEnv['HOME'];
  return home !== undefined && home.startsWith('/') ? home : homedir();
}
