/**
 * Loads something while `fetch` is hidden. Ink's layout engine decodes its binary with `fetch` when there is one, which
 * loads Node's whole HTTP client before the first frame.
 */
export async function withoutFetch<T>(load: () => Promise<T>): Promise<T> {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'fetch');
  Object.defineProperty(globalThis, 'fetch', { value: undefined, configurable: true, writable: true });
  try {
    return await load();
  } finally {
    if (descriptor) Object.defineProperty(globalThis, 'fetch', descriptor);
  }
}
