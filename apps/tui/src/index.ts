export type { BackendConnection } from './backend/connection.ts';
export { runTui, type TuiOptions, type TuiResult } from './run/run-tui.ts';
