export type { CallLimits } from '@hermes/providers';
export { fromLanguageModel, type LanguageModelOptions } from '@hermes/providers/language-model';
