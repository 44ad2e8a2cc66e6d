import { expect, test } from 'vitest';
import { ulid } from './ulid.ts';

test('identifiers made later sort after those made earlier', () => {
  const ids = [0, 1, 1_000, Date.UTC(2026, 0), Date.UTC(2126, 0)].map((at) => ulid(at));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids.map((id) => id.length))).toEqual(new Set([26]));
});
