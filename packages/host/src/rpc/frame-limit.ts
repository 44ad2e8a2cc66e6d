/** Largest inbound frame in bytes (gateway spec 14.1). */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;
