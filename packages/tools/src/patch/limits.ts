/** Files up to this size, in bytes, are edited: they are held in memory several times. */
export const MAX_EDITED_BYTES = 32 * 1024 * 1024;
