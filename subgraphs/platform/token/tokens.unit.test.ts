import { hashOpaqueToken, newOpaqueToken } from '../credentials/opaqueToken.ts';
import { createTokenCache, type KnownToken } from './TokenCache.ts';

const known = {} as KnownToken;

test('a token cache returns the tokens that were added, until it is cleared', () => {
  const cache = createTokenCache();
  cache.add('a.b.c', known);
  expect([cache.find('a.b.c'), cache.find('a.b.d')]).toEqual([known, undefined]);
  cache.clear();
  expect(cache.find('a.b.c')).toBeUndefined();
});

test('a full token cache drops the least recently used token', () => {
  const cache = createTokenCache(2);
  for (const token of ['first', 'second']) cache.add(token, known);
  cache.find('first');
  cache.add('third', known);
  const held = ['first', 'second', 'third'].map((token) => cache.find(token) !== undefined);
  expect(held).toEqual([true, false, true]);
});

test('an opaque token has 256 random bits and is unique', () => {
  const tokens = Array.from({ length: 1000 }, newOpaqueToken);
  expect(new Set(tokens).size).toBe(1000);
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
});

test('an opaque token is stored as the SHA-256 of its text (FIPS 180-2, example B.1)', () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(Buffer.from(hashOpaqueToken('abc'), 'base64url').toString('hex')).toBe(digest);
});
