/**
 * The layers, lowest first. A package may import what stands before it, never what stands after it or beside it.
 *
 * @type {readonly (readonly string[])[]}
 */
export const LAYERS = [
  ['packages/runtime'],
  ['packages/providers'],
  ['packages/context-engine'],
  ['packages/tool-registry'],
  ['packages/tools'],
  ['packages/session-db'],
  ['packages/turn-engine'],
  ['packages/learning-loop'],
  ['packages/host'],
  ['packages/scheduler', 'packages/messaging'],
];
