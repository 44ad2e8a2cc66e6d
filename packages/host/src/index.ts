export { CommandRegistry, type CommandResult } from './commands/command-registry.ts';
export type { CommandContext, SlashCommand } from './commands/slash-command.ts';
export { Host, type HostOptions, openHost } from './host/host.ts';
export { ModelChoice, routeConfigOf, type RouteState } from './host/model-choice.ts';
export { persistModel } from './host/persist-model.ts';
export { historyBlocks } from './sessions/history-blocks.ts';
export { resolveSession, type ResolveOptions } from './sessions/resolve-session.ts';
export type { DoctorContext, DoctorRow, Severity } from './doctor/check.ts';
export { runDoctor } from './doctor/run-doctor.ts';
