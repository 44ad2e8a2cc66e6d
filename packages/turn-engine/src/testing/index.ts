export { FakeClock } from './fake-clock.ts';
export { type Script, ScriptedModel, type ScriptedStep } from './scripted-model.ts';
export { ProviderError, type Route, type Usage } from '@hermes/providers';
