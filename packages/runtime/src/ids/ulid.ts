import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A ULID: 26 characters, sortable by creation time (Crockford base 32, 48 bits of milliseconds, 80 random bits).
 *
 * @example
 * ulid(Date.now()); // '01JE0W7Q3M8ZK4X2V9T5B6N7PD'
 */
export function ulid(timeMs: number): string {
  let time = Math.floor(timeMs);
  let head = '';
  for (let i = 0; i < 10; i++) {
    head = ALPHABET.charAt(time % 32) + head;
    time = Math.floor(time / 32);
  }
  const bytes = randomBytes(16);
  let tail = '';
  for (const byte of bytes) tail += ALPHABET.charAt(byte & 31);
  return head + tail;
}

/** `bytes` random bytes in lower-case hexadecimal. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
