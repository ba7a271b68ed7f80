import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import type { Secrets } from '../secrets/deriveSecret.ts';
import { open, seal } from '../secrets/seal.ts';

/**
 * States of a key: `next` is published but does not sign yet, `current` signs, `previous` only verifies, and `retired`
 * is no longer in the set. `compromised` leaves the set immediately, which invalidates every token it signed.
 */
export type KeyState = 'next' | 'current' | 'previous' | 'retired' | 'compromised';

/** Public half of an own key as the key set shows it (RFC 7517, RFC 7518 6.2.1). */
export interface PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

/** An own key as it is stored. */
export interface SigningKeyRecord {
  /** RFC 7638 thumbprint of the public half. */
  readonly kid: string;
  readonly state: KeyState;
  readonly publicJwk: PublicJwk;
  /** PKCS #8, sealed under the key-encryption secret for this kid only; null once it can never sign again. */
  readonly sealedPrivateKey: string | null;
  readonly createdAt: Date;
  /** Time when it became current. */
  readonly activatedAt: Date | null;
  /** Time when it stopped signing. */
  readonly replacedAt: Date | null;
  /** Time when it left the set, by age or as compromised. */
  readonly retiredAt: Date | null;
}

/** Key of a signer. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** Creates a key for ES256. It is `current` immediately only if there is no key to sign with. */
export function createSigningKey(
  secrets: Secrets,
  now: Date,
  state: 'next' | 'current' = 'next',
): SigningKeyRecord {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicJwk = toPublicJwk(publicKey);
  const { kid } = publicJwk;
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  return {
    kid,
    state,
    publicJwk,
    sealedPrivateKey: seal(secrets.derive('keyEncryption'), pkcs8, kid),
    createdAt: now,
    activatedAt: state === 'current' ? now : null,
    replacedAt: null,
    retiredAt: null,
  };
}

/** Returns the record of a key whose private half is stored outside of the database; published, but not signing yet. */
export function publishSigningKey(privateKey: KeyObject, now: Date): SigningKeyRecord {
  const publicJwk = toPublicJwk(privateKey);
  return {
    kid: publicJwk.kid,
    state: 'next',
    publicJwk,
    sealedPrivateKey: null,
    createdAt: now,
    activatedAt: null,
    replacedAt: null,
    retiredAt: null,
  };
}

/** Returns whether this process has, or can decrypt, the private half of a key. */
export function canSignWith(
  secrets: Secrets,
  { kid, sealedPrivateKey }: Pick<SigningKeyRecord, 'kid' | 'sealedPrivateKey'>,
): boolean {
  return secrets.signingKeys.has(kid) || sealedPrivateKey !== null;
}

/**
 * Returns the private half: decrypted, or configured in this process.
 *
 * @throws Error if the record has no private key and none is configured, if it was encrypted under another root
 *   secret or for another kid, or if it does not match the public half
 */
export function openPrivateKey(secrets: Secrets, record: SigningKeyRecord): SigningKey {
  const { kid, sealedPrivateKey } = record;
  const given = secrets.signingKeys.get(kid);
  if (given) return { kid, privateKey: given };
  if (sealedPrivateKey === null) {
    throw new Error(
      `Signing key ${kid} cannot be opened: only SIGNING_KEY_FILE could hold it, and that of this process does not.`,
    );
  }
  const pkcs8 = open(secrets.derive('keyEncryption'), sealedPrivateKey, kid);
  if (!pkcs8) throw new Error(`Signing key ${kid} cannot be opened: was the root secret changed?`);
  const privateKey = createPrivateKey({ key: pkcs8, type: 'pkcs8', format: 'der' });
  if (toPublicJwk(createPublicKey(privateKey)).kid !== kid) {
    throw new Error(`Signing key ${kid} holds the private half of another key.`);
  }
  return { kid, privateKey };
}

/** Returns the thumbprint (RFC 7638): SHA-256 of the required members in the order of their names, as base64url. */
export function thumbprintOf({ crv, kty, x, y }: Pick<JsonWebKey, 'crv' | 'kty' | 'x' | 'y'>): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}

/** Returns the public half of a P-256 key, from either half. */
export function toPublicJwk(key: KeyObject): PublicJwk {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = { kty: 'EC', crv: 'P-256', x, y } as const;
  return { ...point, kid: thumbprintOf(point), alg: 'ES256', use: 'sig' };
}
