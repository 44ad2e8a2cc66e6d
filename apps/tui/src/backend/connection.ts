import type { FrameTransport } from '@hermes/host/rpc';

/** A backend that was started, or one that was found running. */
export interface BackendConnection {
  readonly transport: FrameTransport;
  /** Ends it now; called after the transport was closed and the backend did not end by itself. */
  kill(): void;
  /** Called once when the backend has ended, with the reason in a few words, such as `exit 1: out of memory`. */
  onExit(listener: (reason: string) => void): void;
}

/** Keeps frames until somebody listens: the backend may speak before the client of its protocol is loaded. */
export function holdFrames(transport: FrameTransport): FrameTransport {
  const held: string[] = [];
  let listener: ((frame: string) => void) | undefined;
  transport.onFrame((frame) => {
    if (listener) listener(frame);
    else held.push(frame);
  });
  return {
    send: (frame) => transport.send(frame),
    close: () => transport.close(),
    onClose: (onClose) => transport.onClose(onClose),
    onFrame: (onFrame) => {
      listener = onFrame;
      for (const frame of held.splice(0)) onFrame(frame);
    },
  };
}
