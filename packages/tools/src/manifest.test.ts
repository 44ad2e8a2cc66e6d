import { existsSync, readdirSync } from 'node:fs';
import type { ToolDefinition } from '@hermes/tool-registry';
import { expect, test } from 'vitest';
import { builtinTools } from './manifest.ts';

/** What the model may be sent for the five schemas together, in characters. */
const MAX_SCHEMA_CHARS = 8192;

const here = new URL('./', import.meta.url);

const isDefinition = (value: unknown): value is ToolDefinition =>
  typeof value === 'object' && value !== null && 'name' in value && 'handler' in value && 'parameters' in value;

async function scannedTools(): Promise<ToolDefinition[]> {
  const files = readdirSync(here)
    .map((folder) => new URL(`${folder}/tool.ts`, here))
    .filter((file) => existsSync(file));
  const modules: object[] = await Promise.all(files.map((file) => import(file.href)));
  return modules.flatMap((module) => Object.values(module).filter(isDefinition));
}

test('the manifest lists the tool of every folder, by name', async () => {
  const scanned = await scannedTools();
  expect(builtinTools.map(({ name }) => name)).toEqual(scanned.map(({ name }) => name).sort());
  expect(new Set(builtinTools)).toEqual(new Set(scanned));
});

test('the tools and how they share time and change the world', () => {
  expect(builtinTools.map(({ name, toolset, parallel, effect }) => [name, toolset, parallel, effect])).toEqual([
    ['patch', 'file', 'pathWrite', 'local'],
    ['read_file', 'file', 'pathRead', 'none'],
    ['search_files', 'file', 'pathRead', 'none'],
    ['terminal', 'terminal', 'barrier', 'unknown'],
    ['write_file', 'file', 'pathWrite', 'local'],
  ]);
});

test('what the model reads of them is short, and says something of each parameter', () => {
  const schemas = builtinTools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  expect(JSON.stringify(schemas).length).toBeLessThan(MAX_SCHEMA_CHARS);
  for (const { parameters } of schemas) {
    const properties = Object.values(parameters['properties'] ?? {});
    expect(properties.length).toBeGreaterThan(0);
    for (const property of properties)
      expect(Object.keys(property).some((key) => key === 'description' || key === 'enum')).toBe(true);
  }
});

test('each call has a line for the screen', () => {
  const args = { command: 'ls\nls', path: 'a.txt', pattern: 'x', patch: '*** Update File: a.txt' };
  for (const { name, summarize } of builtinTools) expect(summarize?.(args), name).toMatch(/^[^\n]+$/u);
});
