export { builtinTools } from './manifest.ts';
