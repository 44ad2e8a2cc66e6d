import { Box, Text, useCursor } from 'ink';
import { memo, useSyncExternalStore } from 'react';
import type { Store } from '../run/store.ts';
import type { Drawing } from './drawing.ts';

interface ScreenProps {
  readonly store: Store;
  readonly drawing: Drawing;
}

/** The whole screen: one row of text for each row of the terminal. Rows that stay the same are not drawn again. */
export function Screen({ store, drawing }: ScreenProps) {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { setCursorPosition } = useCursor();
  const { lines, cursor } = drawing.frame(state);
  setCursorPosition(cursor);
  return (
    <Box flexDirection="column" width={state.columns} height={state.rows}>
      {lines.map((line, row) => (
        // A row is its place: nothing moves between places, so that only rows whose text differs are written.
        // oxlint-disable-next-line react/no-array-index-key
        <Row key={row} text={line} />
      ))}
    </Box>
  );
}

/** Ink gives an empty text no height; a space keeps the row. */
const Row = memo(({ text }: { readonly text: string }) => <Text wrap="truncate">{text === '' ? ' ' : text}</Text>);
