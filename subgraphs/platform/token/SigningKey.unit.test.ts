import { createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import { createSecrets } from '../secrets/deriveSecret.ts';
import { seal } from '../secrets/seal.ts';
import { createSigningKey, openPrivateKey, thumbprintOf } from './SigningKey.ts';

const secrets = createSecrets(randomBytes(32));
const now = new Date('2026-01-01T00:00:00Z');

test('the kid of a signing key is its RFC 7638 thumbprint', () => {
  // Key of RFC 7517, appendix A.1; the expected value was computed with OpenSSL from the text of RFC 7638, 3.1.
  const point = {
    kty: 'EC',
    crv: 'P-256',
    x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
    y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  };
  expect(thumbprintOf(point)).toBe('cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s');
  const { kid, publicJwk } = createSigningKey(secrets, now);
  expect([kid, publicJwk.kid]).toEqual([thumbprintOf(publicJwk), thumbprintOf(publicJwk)]);
});

test('a new signing key has the state next and no activation, unless it is created as current', () => {
  expect(createSigningKey(secrets, now)).toMatchObject({ state: 'next', createdAt: now, activatedAt: null });
  expect(createSigningKey(secrets, now, 'current')).toMatchObject({ state: 'current', activatedAt: now });
});

test('a public key verifies signatures of its private key, and the stored record contains no plain private key', () => {
  const record = createSigningKey(secrets, now);
  const { privateKey } = openPrivateKey(secrets, record);
  const signature = sign('sha256', Buffer.from('text'), privateKey);
  const publicKey = createPublicKey({ key: { ...record.publicJwk }, format: 'jwk' });
  expect(verify('sha256', Buffer.from('text'), publicKey, signature)).toBe(true);
  const { d = '' } = privateKey.export({ format: 'jwk' });
  expect(Object.keys(record.publicJwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  expect(d).toHaveLength(43);
  expect(JSON.stringify(record)).not.toContain(d);
});

test('a private key opens with its own root secret and record only', () => {
  const [record, other] = [createSigningKey(secrets, now), createSigningKey(secrets, now)];
  expect(() => openPrivateKey(createSecrets(randomBytes(32)), record)).toThrow(/cannot be opened/);
  for (const sealedPrivateKey of [other.sealedPrivateKey, null])
    expect(() => openPrivateKey(secrets, { ...record, sealedPrivateKey })).toThrow(/cannot be opened/);
});

test('a private key that does not belong to the public key of its record is refused', () => {
  const [record, other] = [createSigningKey(secrets, now), createSigningKey(secrets, now)];
  const der = openPrivateKey(secrets, other).privateKey.export({ type: 'pkcs8', format: 'der' });
  const sealedPrivateKey = seal(secrets.derive('keyEncryption'), der, record.kid);
  expect(() => openPrivateKey(secrets, { ...record, sealedPrivateKey })).toThrow(/another key/);
});
