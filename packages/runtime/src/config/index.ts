export {
  type ConfigChange,
  type ConfigSetOptions,
  type ConfigUnsetOptions,
  configSet,
  configUnset,
} from './change-config.ts';
export type { ConfigWarning } from './checked-config.ts';
export { type Config, type ConfigOverrides, DEFAULT_CONFIG, type ProviderConfig } from './config.ts';
export { EFFECT_TEXT, type EffectClass } from './effect.ts';
export { type ConfigGetOptions, type ConfigReading, configGet } from './get-config.ts';
export { type BrokenConfig, type LoadConfigOptions, type LoadedConfig, loadConfig } from './load-config.ts';
