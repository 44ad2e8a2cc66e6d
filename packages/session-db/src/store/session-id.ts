import { randomHex } from '@hermes/runtime';

/** `YYYYMMDD_HHMMSS_<6 hex>` in UTC (session-db spec 15.1). */
export function newSessionId(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  return `${date.replaceAll('-', '')}_${time.slice(0, 8).replaceAll(':', '')}_${randomHex(3)}`;
}
