import { expect, test } from 'vitest';
import { type DefaultTiersInput, defaultTiers } from './default-tiers.ts';
import { renderPrompt } from './system-prompt.ts';

const input: DefaultTiersInput = {
  soul: '',
  toolNames: ['patch', 'read_file', 'terminal', 'write_file'],
  surface: 'tui',
  systemMessage: '',
  projectInstructions: '# Project instructions\n\n## AGENTS.md\n\nuse pnpm',
  memory: ['MEMORY block'],
  startedAt: Date.UTC(2026, 0, 5, 23, 30),
  timeZone: 'Asia/Shanghai',
  model: 'm',
  provider: 'p',
  environment: { host: 'box', platform: 'linux', home: '/home/ada', cwd: '/home/ada/atlas' },
};

test('the same facts give the same bytes, and the hash follows the text', () => {
  const one = renderPrompt(defaultTiers(input));
  expect(renderPrompt(defaultTiers({ ...input }))).toEqual(one);
  expect(renderPrompt(defaultTiers({ ...input, memory: [] })).hash).not.toBe(one.hash);
});

test('tiers come in order and their byte lengths find them again', () => {
  const prompt = renderPrompt(defaultTiers(input));
  const bytes = Buffer.from(prompt.text);
  const stable = bytes.subarray(0, prompt.stableBytes).toString();
  const context = bytes.subarray(prompt.stableBytes + 2, prompt.stableBytes + 2 + prompt.contextBytes).toString();
  expect(stable).toContain('You are Hermes');
  expect(stable).not.toContain('/home/ada');
  expect(context).toBe(input.projectInstructions);
  expect(prompt.text.endsWith('Working directory: /home/ada/atlas')).toBe(true);
});

test('a tool rule is given only when its tools are there', () => {
  const text = renderPrompt(defaultTiers(input)).text;
  expect(text).toContain('Use patch for edits');
  expect(text).not.toContain('search_files');
  expect(renderPrompt(defaultTiers({ ...input, toolNames: [] })).text).not.toContain('# Using tools');
});

test('two directories of one project share the prompt up to what is really theirs', () => {
  const [one, two] = ['/w/one', '/w/two'].map(
    (cwd) => renderPrompt(defaultTiers({ ...input, environment: { ...input.environment, cwd } })).text,
  );
  let shared = 0;
  while (one?.[shared] === two?.[shared]) shared++;
  expect(one?.slice(shared)).toBe('one');
});

test('the date line names the day the conversation began, where the user lives, and no time', () => {
  expect(renderPrompt(defaultTiers(input)).text).toContain(
    'Conversation started on Tuesday 6 January 2026 (Asia/Shanghai, GMT+08:00).',
  );
  expect(renderPrompt(defaultTiers({ ...input, timeZone: 'UTC' })).text).toContain(
    'Monday 5 January 2026 (UTC, GMT+00:00)',
  );
});
