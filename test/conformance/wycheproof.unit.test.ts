import { createSecretKey, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import { readCompactToken, verifyCompactToken } from '../../subgraphs/platform/token/compactToken.ts';
import {
  type SignatureAlgorithm,
  toVerificationKeys,
  type VerificationKey,
} from '../../subgraphs/platform/token/VerificationKey.ts';

const [signatureFile, keyFile] = ['wycheproof-json-web-signature.json', 'wycheproof-json-web-key.json'];

interface Vector {
  tcId: number;
  comment: string;
  /** Compact text, or an object in JSON serialization. */
  jws: unknown;
  result: 'valid' | 'invalid';
}

const algorithms: SignatureAlgorithm[] = [
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];

interface VectorGroup {
  public?: JsonWebKey & { keys?: JsonWebKey[] };
  private?: JsonWebKey & { keys?: JsonWebKey[] };
  tests: Vector[];
}

const describeVectors = (file: string, title: string, body: (groups: () => VectorGroup[]) => void): void => {
  const text = () => readFileSync(path.join(import.meta.dirname, 'data', file), 'utf8');
  describe(title, () => {
    body(() => JSON.parse(text()).testGroups);
  });
};

/** The numbers of the vectors, by result and by expected result. */
function sort(groups: VectorGroup[], accepts: (jws: string, group: VectorGroup) => boolean) {
  const sorted: Record<string, number[]> = {
    acceptedValid: [],
    refusedInvalid: [],
    refusedValid: [],
    acceptedInvalid: [],
  };
  for (const group of groups) {
    for (const { tcId, jws, result } of group.tests) {
      const accepted = accepts(typeof jws === 'string' ? jws : JSON.stringify(jws), group);
      sorted[`${accepted ? 'accepted' : 'refused'}${result === 'valid' ? 'Valid' : 'Invalid'}`]?.push(tcId);
    }
  }
  return sorted;
}

function verifies(jws: string, find: (kid: string) => VerificationKey | undefined): boolean {
  try {
    const token = readCompactToken(jws);
    const key = find(token.header.kid);
    if (key) verifyCompactToken(token, key, { nowSeconds: 1_800_000_000 });
    return key !== undefined;
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return false;
    throw error;
  }
}

function keysOf(jwks: readonly JsonWebKey[]): Map<string, VerificationKey> {
  try {
    return toVerificationKeys(jwks, algorithms);
  } catch {
    return new Map();
  }
}

/** The vectors contain ES521, which RFC 7518 calls ES512. */
const corrected = (jwk: JsonWebKey): JsonWebKey => (jwk['alg'] === 'ES521' ? { ...jwk, alg: 'ES512' } : jwk);

/**
 * The key of a group. HMAC keys, which no key set of the product takes, are put in the place of a verified key, so that
 * the vectors of HS256 test the reading of tokens too.
 */
function keyOf(group: VectorGroup): VerificationKey | undefined {
  const jwk = corrected(group.public ?? group.private ?? {});
  const kid = String(jwk['kid']);
  if (jwk.kty !== 'oct') return keysOf([jwk]).get(kid);
  const key = createSecretKey(Buffer.from(String(jwk.k), 'base64url'));
  return { kid, algorithm: jwk['alg'] as SignatureAlgorithm, key };
}

describeVectors(signatureFile, 'the verification of the Wycheproof tokens', (groups) => {
  test('accepts 36 of 46 valid tokens and refuses 353 of 355 invalid ones', () => {
    const sorted = sort(groups(), (jws, group) => {
      const key = keyOf(group);
      return verifies(jws, () => key);
    });
    expect(sorted['acceptedValid']).toHaveLength(36);
    expect(sorted['refusedInvalid']).toHaveLength(353);
    // On purpose: empty payloads, a header whose alg is not the key's, and stray characters in base64url.
    expect(sorted['refusedValid']).toEqual([259, 264, 268, 272, 320, 325, 346, 350, 372, 373]);
    // Their text is canonical and their signature is valid. Other libraries accept them too.
    expect(sorted['acceptedInvalid']).toEqual([367, 370]);
  });

  test('accepts no token that is signed with a symmetric key of a key set', () => {
    const symmetric = groups().filter((group) => group.private?.kty === 'oct');
    const sorted = sort(symmetric, (jws, group) => {
      const keys = keysOf([group.private ?? {}]);
      return verifies(jws, (kid) => keys.get(kid));
    });
    expect(sorted['acceptedValid']).toEqual([]);
    expect(sorted['acceptedInvalid']).toEqual([]);
    expect(sorted['refusedValid']?.length).toBeGreaterThan(0);
  });
});

describeVectors(keyFile, 'the verification with the Wycheproof key sets', (groups) => {
  test('accepts no token with the 21 weak, ambiguous or misused key sets, or with the 4 symmetric ones', () => {
    const sorted = sort(groups(), (jws, group) => {
      const keys = keysOf((group.public ?? group.private)?.keys?.map(corrected) ?? []);
      return verifies(jws, (kid) => keys.get(kid));
    });
    expect(sorted['acceptedInvalid']).toEqual([]);
    expect(sorted['refusedInvalid']).toHaveLength(21);
    expect(sorted['acceptedValid']).toEqual([5]);
    // On purpose: sets of symmetric keys.
    expect(sorted['refusedValid']).toEqual([2, 13, 14, 15]);
  });
});
