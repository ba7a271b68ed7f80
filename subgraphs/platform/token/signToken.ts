import { randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { type AccessTokenPayload, readClaims } from './readClaims.ts';
import type { SigningKey } from './SigningKey.ts';

/** Subject of an access token. It contains no personal data: every holder of a token can read it. */
export interface AccessTokenClaims {
  /** `usr_…`, `cli_…` or `opr_…` */
  readonly subject: string;
  readonly installationId: string;
  /** Audience of the installation. */
  readonly audience: string;
  readonly sessionId: string;
  readonly clientId?: string;
  /** A hint for readers of the token; rights come from the database. */
  readonly roles?: readonly string[];
  readonly scopes: Iterable<string>;
  /** Seconds since 1970 of the last sign-in with credentials; a refresh does not renew it. */
  readonly authTime?: number;
  readonly amr?: readonly string[];
  readonly acr?: string;
  readonly dealerId?: string;
  readonly act?: { readonly sub: string };
}

/** Options for signing a token. */
export interface SignOptions {
  readonly issuer: string;
  readonly lifetimeSeconds?: number;
  /** Returns the time in milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Signs an access token (RFC 9068) with ES256: header `typ` `at+jwt` and `kid`, and a random `jti`.
 *
 * @throws RangeError for claims or a lifetime that the verifier would refuse, because such a token is a bug
 */
export function signAccessToken(
  claims: AccessTokenClaims,
  { kid, privateKey }: SigningKey,
  { issuer, lifetimeSeconds = 600, now = Date.now }: SignOptions,
): string {
  const issuedAt = Math.floor(now() / 1000);
  const payload = toPayload(claims, { iss: issuer, iat: issuedAt, exp: issuedAt + lifetimeSeconds });
  if (!readClaims(payload))
    throw new RangeError('The claims or the lifetime are not valid for an access token.');
  return jwt.sign(payload, privateKey, {
    algorithm: 'ES256',
    keyid: kid,
    header: { alg: 'ES256', typ: 'at+jwt' },
  });
}

function toPayload(
  claims: AccessTokenClaims,
  signed: Pick<AccessTokenPayload, 'iss' | 'iat' | 'exp'>,
): AccessTokenPayload {
  const { clientId, roles, authTime, amr, acr, dealerId, act } = claims;
  const scope = [...claims.scopes].join(' ');
  return {
    ...signed,
    nbf: signed.iat,
    aud: claims.audience,
    sub: claims.subject,
    installation: claims.installationId,
    sid: claims.sessionId,
    jti: randomBytes(16).toString('base64url'),
    ...(clientId !== undefined && { client_id: clientId }),
    ...(roles !== undefined && { roles }),
    ...(scope !== '' && { scope }),
    ...(authTime !== undefined && { auth_time: authTime }),
    ...(amr !== undefined && { amr }),
    ...(acr !== undefined && { acr }),
    ...(dealerId !== undefined && { dealer: dealerId }),
    ...(act !== undefined && { act }),
  };
}
