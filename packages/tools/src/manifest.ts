import type { ToolDefinition } from '@hermes/tool-registry';
import { patch } from './patch/tool.ts';
import { readFile } from './read-file/tool.ts';
import { searchFiles } from './search-files/tool.ts';
import { terminal } from './terminal/tool.ts';
import { writeFile } from './write-file/tool.ts';

/** Every tool of this package, by name. A folder with a `tool.ts` is a tool; a test compares this list with the folders. */
export const builtinTools: readonly ToolDefinition[] = [patch, readFile, searchFiles, terminal, writeFile];
