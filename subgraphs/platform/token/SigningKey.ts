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
 * Life of a key: `next` is published and does not sign yet, `current` signs, `previous` no longer signs and still
 * verifies, `retired` is out of the set. `compromised` is out of the set at once, with every token it signed.
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
  /** When it became current. */
  readonly activatedAt: Date | null;
  /** When it stopped signing. */
  readonly replacedAt: Date | null;
  /** When it left the set, by age or as compromised. */
  readonly retiredAt: Date | null;
}

/** What a signer holds. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** Makes a key for ES256. It is `current` from the start only where there is none to sign with. */
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

/** The record of a key whose private half stays outside of the database; published, and not signing yet. */
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

/** Whether this process has, or can open, the private half of a key. */
export function canSignWith(
  secrets: Secrets,
  { kid, sealedPrivateKey }: Pick<SigningKeyRecord, 'kid' | 'sealedPrivateKey'>,
): boolean {
  return secrets.signingKeys.has(kid) || sealedPrivateKey !== null;
}

/**
 * Opens the private half, or takes the one that this process was given.
 *
 * @throws Error when the record has no private key and none was given, when it was sealed under another root secret
 *   or for another kid, or when it does not belong to the public half that verifiers know
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

/** RFC 7638: SHA-256 of the required members in the order of their names, as base64url. */
export function thumbprintOf({ crv, kty, x, y }: Pick<JsonWebKey, 'crv' | 'kty' | 'x' | 'y'>): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}

/** The public half of a P-256 key, whichever half is given. */
export function toPublicJwk(key: KeyObject): PublicJwk {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = { kty: 'EC', crv: 'P-256', x, y } as const;
  return { ...point, kid: thumbprintOf(point), alg: 'ES256', use: 'sig' };
}
