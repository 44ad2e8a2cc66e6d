/** Everything a key can ask for. */
export type KeyAction =
  | 'submit'
  | 'queue'
  | 'newLine'
  | 'interruptOrExit'
  | 'escape'
  | 'exitOrDeleteRight'
  | 'suspend'
  | 'repaint'
  | 'modelPicker'
  | 'cycleThinking'
  | 'scrollPageUp'
  | 'scrollPageDown'
  | 'scrollLineUp'
  | 'scrollLineDown'
  | 'scrollStart'
  | 'scrollEnd'
  | 'up'
  | 'down'
  | EditAction
  | PickerAction;

/** Edits of the text under the cursor. */
export type EditAction =
  | 'left'
  | 'right'
  | 'wordLeft'
  | 'wordRight'
  | 'lineStart'
  | 'lineEnd'
  | 'deleteLeft'
  | 'deleteRight'
  | 'killWordLeft'
  | 'killWordRight'
  | 'killToStart'
  | 'killToEnd'
  | 'yank'
  | 'yankOlder'
  | 'undo'
  | 'redo'
  | 'expandChip';

type PickerAction = 'choose' | 'chooseDefault' | 'close' | 'previous' | 'next' | 'pagePrevious' | 'pageNext';

export type KeyContext = 'global' | 'composer' | 'overlay';

/** Which key does what, by context. A context's own binding goes before the global one. */
const BINDINGS: Record<KeyContext, Readonly<Record<string, KeyAction>>> = {
  global: {
    'ctrl+c': 'interruptOrExit',
    'ctrl+z': 'suspend',
    'ctrl+l': 'repaint',
    'ctrl+o': 'modelPicker',
    'alt+t': 'cycleThinking',
    pageup: 'scrollPageUp',
    pagedown: 'scrollPageDown',
    'shift+up': 'scrollLineUp',
    'shift+down': 'scrollLineDown',
    'ctrl+home': 'scrollStart',
    'ctrl+end': 'scrollEnd',
  },
  composer: {
    enter: 'submit',
    tab: 'queue',
    'shift+enter': 'newLine',
    'alt+enter': 'newLine',
    'ctrl+enter': 'newLine',
    'ctrl+j': 'newLine',
    escape: 'escape',
    'ctrl+d': 'exitOrDeleteRight',
    up: 'up',
    down: 'down',
    left: 'left',
    right: 'right',
    'ctrl+left': 'wordLeft',
    'ctrl+right': 'wordRight',
    'alt+left': 'wordLeft',
    'alt+right': 'wordRight',
    'alt+b': 'wordLeft',
    'alt+f': 'wordRight',
    home: 'lineStart',
    end: 'lineEnd',
    'ctrl+a': 'lineStart',
    'ctrl+e': 'lineEnd',
    backspace: 'deleteLeft',
    'shift+backspace': 'deleteLeft',
    delete: 'deleteRight',
    'ctrl+w': 'killWordLeft',
    'alt+backspace': 'killWordLeft',
    'ctrl+backspace': 'killWordLeft',
    'alt+d': 'killWordRight',
    'ctrl+delete': 'killWordRight',
    'ctrl+u': 'killToStart',
    'ctrl+k': 'killToEnd',
    'ctrl+y': 'yank',
    'alt+y': 'yankOlder',
    'ctrl+_': 'undo',
    'alt+u': 'undo',
    'alt+shift+u': 'redo',
    'alt+p': 'expandChip',
  },
  overlay: {
    enter: 'choose',
    'ctrl+s': 'chooseDefault',
    escape: 'close',
    up: 'previous',
    down: 'next',
    'ctrl+p': 'previous',
    'ctrl+n': 'next',
    pageup: 'pagePrevious',
    pagedown: 'pageNext',
    backspace: 'deleteLeft',
    'ctrl+u': 'killToStart',
  },
};

/** What a key does in a context; undefined when nothing. */
export function actionFor(context: KeyContext, key: string): KeyAction | undefined {
  return BINDINGS[context][key] ?? BINDINGS.global[key];
}
