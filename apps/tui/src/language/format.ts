import type { Messages } from './messages.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration for people: `<0.1 s`, `1.2 s`, `34 s`, `2 min 5 s`, `1 h 3 min`. */
export function formatDuration(ms: number, { duration }: Messages): string {
  if (ms < 50) return duration.seconds('<0.1');
  if (ms < 9_950) return duration.seconds((ms / SECOND).toFixed(1));
  if (ms < MINUTE) return duration.seconds(String(Math.round(ms / SECOND)));
  if (ms < HOUR) return duration.minutes(Math.floor(ms / MINUTE), Math.floor((ms % MINUTE) / SECOND));
  return duration.hours(Math.floor(ms / HOUR), Math.floor((ms % HOUR) / MINUTE));
}

/** A running clock: `0:07`, `12:34`, `1:02:03`. Its width does not jump within an hour. */
export function formatClock(ms: number): string {
  const seconds = Math.floor(ms / SECOND) % 60;
  const minutes = Math.floor(ms / MINUTE) % 60;
  const hours = Math.floor(ms / HOUR);
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** How long ago: `now`, `5 min`, `3 h`, `12 d`. */
export function formatAge(ms: number, { age }: Messages): string {
  if (ms < MINUTE) return age.now;
  if (ms < HOUR) return age.minutes(Math.floor(ms / MINUTE));
  if (ms < DAY) return age.hours(Math.floor(ms / HOUR));
  return age.days(Math.floor(ms / DAY));
}

/** Tokens in thousands: `950`, `12k`, `1.2M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 1_000_000) return `${Math.round(tokens / 1_000)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** Bytes in kilobytes and up: `120 B`, `1.9 KB`, `3.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
