import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SecretScope } from '../environment/secret-scope.ts';
import { currentScope, runInScope, UnscopedError } from './profile-scope.ts';

const scopeOf = (profile: string) => ({
  home: { root: '/h', home: `/h/${profile}`, profile },
  secrets: new SecretScope({ path: '', file: new Map([['CANARY_KEY', profile]]), shell: {} }),
});

test('two profiles at work at the same time never see each other', async () => {
  const work = async () => {
    const seen: (string | undefined)[] = [];
    for (let i = 0; i < 5; i++) {
      await nextTick();
      seen.push(currentScope().home.profile, currentScope().secrets.get('CANARY_KEY'));
    }
    return new Set(seen);
  };
  const [a, b] = await Promise.all([runInScope(scopeOf('a'), work), runInScope(scopeOf('b'), work)]);
  expect([a, b]).toEqual([new Set(['a']), new Set(['b'])]);
});

test('outside of a profile there is no scope, and none remains after the work', async () => {
  expect(() => currentScope()).toThrow(UnscopedError);
  await runInScope(scopeOf('a'), () => nextTick());
  expect(() => currentScope()).toThrow(UnscopedError);
});

test('an inner scope covers the outer one and gives it back', () => {
  runInScope(scopeOf('outer'), () => {
    expect(runInScope(scopeOf('inner'), () => currentScope().home.profile)).toBe('inner');
    expect(currentScope().home.profile).toBe('outer');
  });
});
