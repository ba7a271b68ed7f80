import { hashOpaqueToken, newOpaqueToken } from './opaqueToken.ts';

test('an opaque token has 256 random bits and never comes twice', () => {
  const tokens = Array.from({ length: 1000 }, newOpaqueToken);
  expect(new Set(tokens).size).toBe(1000);
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
});

test('what is stored is the SHA-256 of the text (FIPS 180-2, example B.1)', () => {
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(Buffer.from(hashOpaqueToken('abc'), 'base64url').toString('hex')).toBe(known);
});
