import type { Platform } from '../../../platform/context/Platform.ts';
import { createKeySet, type KeySet } from '../../../platform/token/KeySet.ts';
import { toVerificationKeys, type VerificationKey } from '../../../platform/token/VerificationKey.ts';
import { fetchDocument } from './fetchDocument.ts';
import type { IssuerAlgorithm, IssuerRecord } from './model.ts';

/** Issuer whose keys are used. */
type KeySource = Pick<IssuerRecord, 'issuer' | 'jwksUri' | 'algorithms'>;

const maxAgeMs = 10 * 60_000;

/** Keys of one platform's issuers. */
const sets = new WeakMap<object, Map<string, KeySet>>();

/**
 * Returns the keys of an external issuer, cached as a whole in memory. They are read again after ten minutes. An
 * unknown key id causes a read at most once in 30 seconds, for all callers together. While the issuer is unavailable,
 * cached keys are valid for 24 hours. The set never contains own keys.
 */
export function issuerKeys(platform: Platform, source: KeySource): KeySet {
  let ofPlatform = sets.get(platform);
  if (!ofPlatform) sets.set(platform, (ofPlatform = new Map()));
  const { issuer, jwksUri, algorithms } = source;
  const name = JSON.stringify([issuer, jwksUri, [...algorithms].sort()]);
  let keys = ofPlatform.get(name);
  if (!keys) ofPlatform.set(name, (keys = openKeySet(platform, source)));
  return keys;
}

function openKeySet(platform: Platform, source: KeySource): KeySet {
  return createKeySet({
    load: () => loadKeys(source, platform.allowPrivateIssuers),
    algorithms: source.algorithms,
    now: platform.now,
    maxAgeMs,
    onLoadError: (error) =>
      platform.log.warn({ err: error, issuer: source.issuer }, 'keys of an issuer could not be read'),
  });
}

/**
 * Reads the keys of an issuer that may verify tokens.
 *
 * @throws Error if they cannot be read, or the set as a whole is not trustworthy
 */
export async function readIssuerKeys(
  source: KeySource,
  allowPrivate: boolean,
): Promise<ReadonlyMap<string, VerificationKey>> {
  const keys = await loadKeys(source, allowPrivate);
  return toVerificationKeys(
    keys.map(({ publicJwk }) => publicJwk),
    source.algorithms,
  );
}

async function loadKeys(
  { jwksUri, algorithms }: KeySource,
  allowPrivate: boolean,
): Promise<{ publicJwk: object }[]> {
  // Loaded on first use, because most processes never verify an external token.
  const { JwksClient } = await import('jwks-rsa');
  const client = new JwksClient({
    jwksUri,
    // `createKeySet` caches and limits the set, for external and own keys.
    cache: false,
    rateLimit: false,
    fetcher: async (url) => {
      const document = await fetchDocument(url, { allowPrivate });
      if (!isKeySet(document)) throw new Error(`${url} is not a JSON Web Key Set.`);
      return document;
    },
  });
  const keys = (await client.getKeys()) as object[];
  return keys.map((publicJwk) => ({ publicJwk: withAlgorithm(publicJwk, algorithms) }));
}

function isKeySet(document: unknown): document is { keys: object[] } {
  return (
    typeof document === 'object' && document !== null && 'keys' in document && Array.isArray(document.keys)
  );
}

const kinds: Readonly<Record<IssuerAlgorithm, { kty: string; crv?: string }>> = {
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
};

/**
 * Adds the algorithm to a key without `alg`, which RFC 7517, 4.4 allows. The configuration determines the algorithm if
 * it allows only one; a token never does.
 */
function withAlgorithm(jwk: object, algorithms: readonly IssuerAlgorithm[]): object {
  if (jwk === null || typeof jwk !== 'object' || 'alg' in jwk) return jwk;
  const { kty, crv } = jwk as { kty?: unknown; crv?: unknown };
  const fitting = algorithms.filter((name) => {
    const kind = kinds[name];
    return kind.kty === kty && (kind.crv === undefined || kind.crv === crv);
  });
  return fitting.length === 1 ? { ...jwk, alg: fitting[0] } : jwk;
}
