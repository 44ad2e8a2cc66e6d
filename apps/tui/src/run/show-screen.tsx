import { render } from 'ink';
import { PassThrough } from 'node:stream';
import type { Drawing } from '../screen/drawing.ts';
import { Screen } from '../screen/screen.tsx';
import type { TerminalOutput } from '../terminal/terminal-output.ts';
import type { Store } from './store.ts';

const FRAMES_PER_SECOND = 60;

/** The drawn screen. */
export interface ShownScreen {
  /** Draws all of it again on an erased terminal. */
  repaint(): void;
  /** Takes the screen down. */
  close(): void;
  /** Rejects when drawing itself failed; the screen is down then. */
  readonly failed: Promise<unknown>;
}

/**
 * Draws the store's state with Ink. Keys do not come through Ink, so it gets an input that never speaks; that a terminal
 * is there is said explicitly, because Ink draws nothing where a variable named CI exists.
 */
export function showScreen(store: Store, drawing: Drawing, output: TerminalOutput): ShownScreen {
  const node = <Screen store={store} drawing={drawing} />;
  const instance = render(node, {
    stdout: output,
    stdin: new PassThrough(),
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    incrementalRendering: true,
    maxFps: FRAMES_PER_SECOND,
  });
  return {
    repaint: () => {
      output.eraseBeforeNextFrame(() => instance.clear());
      instance.rerender(node);
    },
    close: () => instance.unmount(),
    failed: instance.waitUntilExit(),
  };
}
