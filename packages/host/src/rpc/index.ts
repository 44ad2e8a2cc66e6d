export { type FrameTransport, HostClient, RpcError } from './client.ts';
export {
  type EventPayload,
  type EventType,
  events,
  type HostEvent,
  type MethodName,
  type MethodParams,
  type MethodResult,
  methods,
  PROTOCOL_VERSION,
  type ReadyParams,
  RpcErrorCode,
} from './contract.ts';
export { MAX_FRAME_BYTES } from './frame-limit.ts';
export { lineTransport } from './stdio-transport.ts';
