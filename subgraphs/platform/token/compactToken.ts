import jwt from 'jsonwebtoken';
import { refuseToken } from '../credentials/refuseToken.ts';
import type { VerificationKey } from './VerificationKey.ts';

/** Header of a token; other members are refused. */
export interface TokenHeader {
  readonly alg: string;
  readonly kid: string;
  readonly typ?: string;
}

/** A parsed but unverified token in compact form (RFC 7515, 7.1); its content is untrusted. */
export interface CompactToken {
  readonly text: string;
  readonly header: TokenHeader;
  readonly segments: readonly [header: string, payload: string, signature: string];
}

/** Seconds by which clocks may differ. */
export const clockToleranceSeconds = 30;

const headerMembers: ReadonlySet<string> = new Set(['alg', 'kid', 'typ']);
const longestKid = 200;

/**
 * Parses a token: three non-empty segments in canonical base64url, and a header of `alg`, `kid` and `typ` only. Other
 * header members (`crit`, `jku`, `jwk`, `x5u`, `x5c`, `b64`, `zip`, `cty`) could change the verification, and are
 * refused.
 *
 * @throws AppError `token_malformed` if the text is invalid, `token_invalid` if its header has other members
 */
export function readCompactToken(text: string): CompactToken {
  const [header = '', payload = '', signature = '', ...others] = text.split('.', 4);
  if (!header || !payload || !signature || others.length > 0)
    throw refuseToken('token_malformed', 'segments');
  const segments = [header, payload, signature] as const;
  if (!segments.every(isCanonical)) throw refuseToken('token_malformed', 'encoding');
  return { text, header: readHeader(header), segments };
}

/**
 * Verifies a token with the key that its `kid` names. The key determines the algorithm, not the token.
 *
 * @param nowSeconds since 1970
 * @returns the payload: an object, or a text if it is not JSON; its claims are not checked yet
 * @throws AppError `token_invalid`, `token_expired`, `token_not_yet_valid`
 */
export function verifyCompactToken(
  { text, header }: CompactToken,
  { kid, algorithm, key }: VerificationKey,
  { issuer, nowSeconds }: { issuer?: string; nowSeconds: number },
): unknown {
  if (header.kid !== kid) throw refuseToken('token_invalid', 'key');
  if (header.alg !== algorithm) throw refuseToken('token_invalid', 'algorithm');
  try {
    return jwt.verify(text, key, {
      algorithms: [algorithm],
      clockTimestamp: nowSeconds,
      clockTolerance: clockToleranceSeconds,
      ...(issuer !== undefined && { issuer }),
    });
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) throw refuseToken('token_expired', 'time');
    if (error instanceof jwt.NotBeforeError) throw refuseToken('token_not_yet_valid', 'time');
    // Any other error, including a failure inside the library, means that the token was not verified.
    throw refuseToken('token_invalid', 'verification');
  }
}

/** Returns whether a segment is the canonical encoding of its value: same JSON text, same UTF-8, same base64url. */
export function isSpellingOf(segment: string, value: unknown): boolean {
  return Buffer.from(JSON.stringify(value) ?? '').toString('base64url') === segment;
}

function isCanonical(segment: string): boolean {
  return Buffer.from(segment, 'base64url').toString('base64url') === segment;
}

function readHeader(segment: string): TokenHeader {
  let header: unknown;
  try {
    header = JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'));
  } catch {
    throw refuseToken('token_malformed', 'header');
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header)) {
    throw refuseToken('token_malformed', 'header');
  }
  if (!isTokenHeader(header)) throw refuseToken('token_invalid', 'header');
  return header;
}

function isTokenHeader(header: object): header is TokenHeader {
  const { alg, kid, typ = '' } = header as Record<string, unknown>;
  if (typeof alg !== 'string' || typeof kid !== 'string' || typeof typ !== 'string') return false;
  return kid.length <= longestKid && Object.keys(header).every((name) => headerMembers.has(name));
}
