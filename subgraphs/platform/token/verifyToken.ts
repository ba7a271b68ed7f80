import { readBearerToken } from '../credentials/readBearerToken.ts';
import { refuseToken } from '../credentials/refuseToken.ts';
import {
  type CompactToken,
  clockToleranceSeconds,
  isSpellingOf,
  readCompactToken,
  verifyCompactToken,
} from './compactToken.ts';
import type { KeySet } from './KeySet.ts';
import { readClaims, type VerifiedClaims } from './readClaims.ts';
import type { VerificationKey } from './VerificationKey.ts';
import type { VerifiedToken } from './VerifiedToken.ts';

export type { VerifiedToken } from './VerifiedToken.ts';

/** Options for verifying tokens. */
export interface VerifyTokenOptions {
  /** Keys of the own issuer. */
  readonly keys: KeySet;
  /** The one issuer of this deployment. */
  readonly issuer: string;
  /** Returns the audience of an installation's tokens; null if there is no such installation. */
  readonly audienceOf: (installationId: string) => string | null;
  /** Returns the time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** RFC 7638 thumbprint with SHA-256: no other name is worth reading the key set for. */
const kidPattern = /^[A-Za-z0-9_-]{43}$/;

/**
 * Verifies the access token of a request. It checks only the token. The caller checks that session and subject are
 * live, and that the token's installation is that of the request.
 *
 * Only own tokens in canonical form are accepted: ES256, `typ` `at+jwt`, header and payload as `JSON.stringify` writes
 * them, which excludes duplicate members. `aud` is compared with the audience of the installation that the signed
 * `installation` claim names.
 *
 * @param authorization the header's value, or all its values (see `readAuthorization`)
 * @returns the token if its key is cached, otherwise a promise
 * @throws AppError 401 `token_missing`, `token_malformed`, `token_invalid`, `token_expired`, `token_not_yet_valid`
 *   with the parameters of the challenge; 400 `ambiguous_credentials`; 503 `unavailable` without keys
 */
export function verifyToken(
  authorization: string | readonly string[] | undefined,
  options: VerifyTokenOptions,
): VerifiedToken | Promise<VerifiedToken> {
  const text = readBearerToken(authorization);
  const { keys } = options;
  const known = keys.verified.find(text);
  const unverified = known ? null : readOwnToken(text);
  const judge = (key: VerificationKey | null): VerifiedToken => {
    // Of concurrent requests with one token while the keys are read, only the first one verifies it.
    const verified = known ?? keys.verified.find(text);
    if (verified && verified.key === key) return assertCurrent(verified.claims, options);
    return verifyOwnToken(unverified ?? readOwnToken(text), key, options);
  };
  const key = keys.find(known?.key.kid ?? unverified?.header.kid ?? '');
  return key instanceof Promise ? key.then(judge) : judge(key);
}

/**
 * Parses a token and checks everything that needs no key, so that invalid tokens are cheap and never cause a read of
 * the key set.
 */
function readOwnToken(text: string): CompactToken {
  const token = readCompactToken(text);
  const { header, segments } = token;
  if (header.typ !== 'at+jwt') throw refuseToken('token_invalid', 'type');
  if (header.alg !== 'ES256') throw refuseToken('token_invalid', 'algorithm');
  if (!kidPattern.test(header.kid)) throw refuseToken('token_invalid', 'key');
  if (!isSpellingOf(segments[0], header)) throw refuseToken('token_invalid', 'spelling');
  return token;
}

function verifyOwnToken(
  token: CompactToken,
  key: VerificationKey | null,
  options: VerifyTokenOptions,
): VerifiedToken {
  if (!key) throw refuseToken('token_invalid', 'key');
  const { issuer } = options;
  const payload = verifyCompactToken(token, key, { issuer, nowSeconds: nowSecondsOf(options) });
  if (!isSpellingOf(token.segments[1], payload)) throw refuseToken('token_invalid', 'spelling');
  const claims = readClaims(payload);
  if (!claims) throw refuseToken('token_invalid', 'claims');
  const accepted = assertCurrent(claims, options);
  options.keys.verified.add(token.text, { key, claims });
  return accepted;
}

/** Checks on every use what can change during a token's lifetime: time, issuer, and the installation's audience. */
function assertCurrent(
  { token, issuer, audience, startsAt }: VerifiedClaims,
  options: VerifyTokenOptions,
): VerifiedToken {
  const nowSeconds = nowSecondsOf(options);
  if (nowSeconds >= token.expiresAt + clockToleranceSeconds) throw refuseToken('token_expired', 'time');
  if (startsAt > nowSeconds + clockToleranceSeconds) throw refuseToken('token_not_yet_valid', 'time');
  if (issuer !== options.issuer) throw refuseToken('token_invalid', 'issuer');
  if (audience !== options.audienceOf(token.installationId)) throw refuseToken('token_invalid', 'audience');
  return token;
}

function nowSecondsOf({ now = Date.now }: VerifyTokenOptions): number {
  return Math.floor(now() / 1000);
}
