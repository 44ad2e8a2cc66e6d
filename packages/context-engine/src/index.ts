export { type SequenceRepairs, type TranscriptRow, WireTranscript } from './assemble/wire-transcript.ts';
export { type ContextFiles, type ContextFilesOptions, loadContextFiles } from './files/context-files.ts';
export { type ScanRule, type ScanScope, scanForInjection } from './files/injection-scan.ts';
export { contextFileCap, truncateMiddle } from './files/truncate.ts';
export { BUILT_IN_IDENTITY, dateLine, type DefaultTiersInput, defaultTiers } from './prompt/default-tiers.ts';
export { type PromptTier, type PromptTiers, type RenderedPrompt, renderPrompt } from './prompt/system-prompt.ts';
export { estimateMessageTokens, estimateTokens, estimateToolTokens } from './tokens/estimate.ts';
