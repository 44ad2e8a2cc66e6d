export { memorySnapshot } from './memory/memory-snapshot.ts';
export {
  type MemoryAnswer,
  type MemoryChange,
  type MemoryOptions,
  MemoryStore,
  type MemoryTarget,
} from './memory/memory-store.ts';
export { memoryTool } from './memory/memory-tool.ts';
