import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { type SignatureAlgorithm, toVerificationKeys } from './VerificationKey.ts';

const allowed: SignatureAlgorithm[] = ['ES256', 'ES384', 'ES512', 'RS256', 'PS256'];
const ec = (namedCurve: string): JsonWebKey =>
  generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' });
const rsa = (modulusLength: number, publicExponent = 65_537): JsonWebKey =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey.export({ format: 'jwk' });
const [p256, p384, rsa2048] = [ec('P-256'), ec('P-384'), rsa(2048)];
const good = { ...p256, kid: 'good', alg: 'ES256', use: 'sig' };
const kidsOf = (...jwks: unknown[]): string[] => [...toVerificationKeys(jwks, allowed).keys()];

/** 2,048 bits that are a power of 65537 modulo the product of the small primes, as from the weak generator. */
function rocaModulus(): string {
  let product = 1n;
  for (let candidate = 3n; candidate <= 167n; candidate += 2n) {
    if (product % candidate !== 0n && isPrime(candidate)) product *= candidate;
  }
  const power = 65_537n ** 1234n % product;
  const modulus = ((1n << 2047n) / product + 1n) * product + power;
  return Buffer.from(modulus.toString(16), 'hex').toString('base64url');
}

function isPrime(candidate: bigint): boolean {
  for (let divisor = 3n; divisor < candidate; divisor += 2n) if (candidate % divisor === 0n) return false;
  return true;
}

test.each([
  ['an EC key for its curve', { ...p384, kid: 'a', alg: 'ES384' }],
  ['an EC key for the largest curve', { ...ec('P-521'), kid: 'a', alg: 'ES512' }],
  ['an RSA key of 2,048 bits', { ...rsa2048, kid: 'a', alg: 'PS256' }],
  ['a key whose key_ops allow verifying', { ...p256, kid: 'a', alg: 'ES256', key_ops: ['verify'] }],
  ['a key with unknown members', { ...p256, kid: 'a', alg: 'ES256', x5t: 'abc' }],
])('%s is accepted', (_, jwk) => {
  expect(kidsOf(jwk)).toEqual(['a']);
});

test.each([
  ['for encryption', { ...p256, kid: 'a', alg: 'ES256', use: 'enc' }],
  ['whose key_ops forbid verifying', { ...p256, kid: 'a', alg: 'ES256', key_ops: ['sign'] }],
  ['whose key_ops are not a list', { ...p256, kid: 'a', alg: 'ES256', key_ops: 'verify' }],
  ['without kid', { ...p256, alg: 'ES256' }],
  ['whose kid is not a string', { ...p256, kid: 7, alg: 'ES256' }],
  ['without alg', { ...p256, kid: 'a' }],
  ['of an algorithm that is not allowed', { ...rsa2048, kid: 'a', alg: 'RS512' }],
  ['of another curve than its alg', { ...p256, kid: 'a', alg: 'ES384' }],
  ['of another type than its alg', { ...rsa2048, kid: 'a', alg: 'ES256' }],
  ['that is not on its curve', { ...p256, y: p256.x, kid: 'a', alg: 'ES256' }],
  ['of an unknown type', { kty: 'XYZ', kid: 'a', alg: 'ES256' }],
  ['of RSA with 1,024 bits', { ...rsa(1024), kid: 'a', alg: 'RS256' }],
  [
    'of RSA from the weak generator of CVE-2017-15361',
    { ...rsa2048, n: rocaModulus(), kid: 'a', alg: 'RS256' },
  ],
  ['of RSA with the exponent 3', { ...rsa(2048, 3), kid: 'a', alg: 'RS256' }],
])('a key %s is ignored, and the other keys are kept', (_, jwk) => {
  expect(kidsOf(jwk, good)).toEqual(['good']);
});

test.each([
  ['two keys with the same kid', [good, { ...p256, kid: 'good', alg: 'ES384' }], /two keys/],
  ['a symmetric key', [good, { kty: 'oct', kid: 'b', k: 'AAAA', alg: 'HS256' }], /symmetric/],
  ['a symmetric key without value', [good, { kty: 'oct', kid: 'b', alg: 'HS256' }], /symmetric/],
  ['a symmetric key with the members of an EC key', [{ ...good, k: 'AAAA' }], /symmetric/],
  ['a private key', [{ ...good, d: 'AAAA' }], /private/],
  ['an entry that is null', [good, null], /not a key/],
  ['an entry without kty', [good, { kid: 'b' }], /not a key/],
  ['an entry whose kty is a number', [good, { kid: 'b', kty: 5 }], /not a key/],
  ['an entry that is a string', [good, 'kty'], /not a key/],
  ['51 keys', Array.from({ length: 51 }, (_, index) => ({ ...good, kid: `${index}` })), /more than 50/],
])('a key set with %s is refused completely', (_, jwks, message) => {
  expect(() => kidsOf(...jwks)).toThrow(message);
});

test('a key set of 50 keys is accepted', () => {
  expect(kidsOf(...Array.from({ length: 50 }, (_, index) => ({ ...good, kid: `${index}` })))).toHaveLength(
    50,
  );
});

test('several keys without kid are not refused as duplicates', () => {
  expect(kidsOf({ ...p256, alg: 'ES256' }, { ...p256, alg: 'ES256' }, good)).toEqual(['good']);
});
