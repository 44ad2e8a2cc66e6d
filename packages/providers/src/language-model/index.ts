export { fromLanguageModel, type LanguageModelOptions } from './from-language-model.ts';
