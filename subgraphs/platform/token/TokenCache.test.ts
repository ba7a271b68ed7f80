import { createTokenCache, type KnownToken } from './TokenCache.ts';

const known = {} as KnownToken;

test('it finds exactly what was added, and nothing after it was cleared', () => {
  const cache = createTokenCache();
  cache.add('a.b.c', known);
  expect(cache.find('a.b.c')).toBe(known);
  expect(cache.find('a.b.d')).toBeUndefined();
  cache.clear();
  expect(cache.find('a.b.c')).toBeUndefined();
});

test('it never holds more than its limit: the least recently used token makes room', () => {
  const cache = createTokenCache(2);
  cache.add('first', known);
  cache.add('second', known);
  cache.find('first');
  cache.add('third', known);
  expect(['first', 'second', 'third'].map((text) => cache.find(text) !== undefined)).toEqual([
    true,
    false,
    true,
  ]);
});
