import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isRocaModulus } from './isRocaModulus.ts';

/** Asymmetric signature algorithms of RFC 7518 that are supported. HMAC and `none` are excluded. */
export type SignatureAlgorithm =
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'RS256'
  | 'RS384'
  | 'RS512';

/** A public key with the one algorithm it is used with; a token never chooses the algorithm. */
export interface VerificationKey {
  readonly kid: string;
  readonly algorithm: SignatureAlgorithm;
  readonly key: KeyObject;
}

const largestSet = 50;
const smallestModulusBits = 2048;
const smallestExponent = 65_537n;
const curves: Partial<Record<SignatureAlgorithm, string>> = {
  ES256: 'prime256v1',
  ES384: 'secp384r1',
  ES512: 'secp521r1',
};

/**
 * Returns the keys of a JWK set (RFC 7517) that may verify, by `kid`. A key for another use, without `kid` or `alg`,
 * with a forbidden algorithm, or with a weak or impossible value is omitted.
 *
 * @throws Error if the set as a whole is not trustworthy: two keys with one `kid`, a symmetric or a private key, or
 *   more than 50 keys
 */
export function toVerificationKeys(
  jwks: readonly unknown[],
  allowed: readonly SignatureAlgorithm[],
): Map<string, VerificationKey> {
  if (jwks.length > largestSet) throw new Error(`The key set has more than ${largestSet} keys.`);
  const kids = new Set<unknown>();
  const keys = new Map<string, VerificationKey>();
  for (const jwk of jwks) {
    if (!isJwk(jwk)) throw new Error('The key set has an entry that is not a key.');
    if (jwk.kty === 'oct' || 'k' in jwk) throw new Error('The key set has a symmetric key.');
    if ('d' in jwk) throw new Error('The key set has a private key.');
    if (jwk['kid'] !== undefined && kids.has(jwk['kid']))
      throw new Error('The key set has two keys with one kid.');
    kids.add(jwk['kid']);
    const key = toVerificationKey(jwk, allowed);
    if (key) keys.set(key.kid, key);
  }
  return keys;
}

function isJwk(value: unknown): value is JsonWebKey {
  return typeof value === 'object' && value !== null && 'kty' in value && typeof value.kty === 'string';
}

function toVerificationKey(jwk: JsonWebKey, allowed: readonly SignatureAlgorithm[]): VerificationKey | null {
  const { kid, use, key_ops: operations } = jwk;
  const algorithm = allowed.find((name) => name === jwk['alg']);
  if (typeof kid !== 'string' || !algorithm) return null;
  if (use !== undefined && use !== 'sig') return null;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return null;
  let key: KeyObject;
  try {
    key = createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return null;
  }
  return fits(key, algorithm) ? { kid, algorithm, key } : null;
}

/** Returns whether the key has the type and strength that the algorithm requires. */
function fits(key: KeyObject, algorithm: SignatureAlgorithm): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = key;
  if (algorithm in curves) return type === 'ec' && details.namedCurve === curves[algorithm];
  const { modulusLength = 0, publicExponent = 0n } = details;
  if (type !== 'rsa' || modulusLength < smallestModulusBits || publicExponent < smallestExponent)
    return false;
  const { n = '' } = key.export({ format: 'jwk' });
  return !isRocaModulus(BigInt(`0x${Buffer.from(n, 'base64url').toString('hex')}`));
}
