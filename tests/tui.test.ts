import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Sandbox } from './support/hermes.ts';
import { Screen } from './support/screen.ts';

let box: Sandbox;
const screens: Screen[] = [];
beforeEach(() => {
  box = new Sandbox();
  writeFileSync(join(box.project, 'notes.txt'), 'milk\n');
});
afterEach(async () => {
  for (const screen of screens.splice(0)) {
    screen.kill('SIGTERM');
    await screen.exited;
  }
  box.remove();
});

function open(args: readonly string[], size?: { cols: number; rows: number }): Screen {
  const screen = new Screen(box, args, size);
  screens.push(screen);
  return screen;
}

test.each([
  [80, 24],
  [160, 50],
])('the whole way at %sx%s: type, stream, tool rows, quit; the terminal is left clean', async (cols, rows) => {
  const screen = open(['--demo'], { cols, rows });
  await screen.until('❯');
  screen.type('list the files here\r');
  await screen.until('notes.txt');
  await screen.until(/✓ terminal ls/u);
  expect(screen.inAlternateBuffer).toBe(true);
  screen.type('/quit\r');
  expect(await screen.exited).toBe(0);
  expect(screen.inAlternateBuffer).toBe(false);
  expect(screen.text).toContain('hermes --resume');
});

test('keys typed before the backend is ready are kept, and an early Enter is sent when it is', async () => {
  const screen = open(['--demo']);
  screen.type('what is hermes\r');
  await screen.until('personal agent');
});

test('an interrupt stops the tool, and the next prompt is taken', async () => {
  const screen = open(['--demo']);
  await screen.until('ready');
  screen.type('run sleep 60\r');
  await screen.until(/running terminal/u);
  screen.type('\u0003');
  await screen.until('Interrupted');
  screen.type('what is hermes\r');
  await screen.until('personal agent');
});

test('a resize keeps everything on the screen, at the new width', async () => {
  const screen = open(['--demo'], { cols: 120, rows: 30 });
  await screen.until('ready');
  screen.type('list the files here\r');
  await screen.until('notes.txt');
  screen.resize(60, 20);
  await screen.until(/ready[^\n]*\n*$/u);
  expect(Math.max(...screen.text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  screen.resize(120, 30);
  await screen.until('notes.txt');
});

test('a session goes on in a new process', async () => {
  const first = open(['--demo']);
  await first.until('ready');
  first.type('list the files here\r');
  await first.until(/tool call/u);
  first.type('/quit\r');
  await first.exited;
  const second = open(['--demo', '-c']);
  await second.until('notes.txt');
  second.type('what is hermes\r');
  await second.until('personal agent');
});

test('T03 without any key it opens, says that there is no provider, and offers what there is', async () => {
  const screen = open([]);
  await screen.until('no provider');
  await screen.until(/demo/iu);
  screen.type('/help\r');
  await screen.until('/model');
});

test('the line interface takes its place where it was asked for', async () => {
  const screen = open(['--cli', '--demo']);
  await screen.until('default ❯');
  screen.type('list the files here\r');
  await screen.until('notes.txt');
  await screen.until(/• terminal ls/u);
  screen.type('/status\r');
  await screen.until('demo/scripted');
  screen.type('/quit\r');
  expect(await screen.exited).toBe(0);
});
