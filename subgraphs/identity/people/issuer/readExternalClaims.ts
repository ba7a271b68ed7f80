import type { InstallationRole } from '../../../../schema/permissions.ts';
import type { IssuerRecord } from './model.ts';

/** Claims of a verified external token, of the types that they must have; what is optional and absent is null. */
export interface ExternalClaims {
  readonly subject: string;
  readonly audiences: readonly string[];
  /** `azp` (OpenID Connect Core 2). */
  readonly authorizedParty: string | null;
  readonly nonce: string | null;
  readonly tokenId: string | null;
  /** Seconds since 1970, like every time here. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly notBefore: number | null;
  readonly authTime: number | null;
}

/** Claims of an issuer about a user, for a new account. */
export interface ExternalProfile {
  readonly email: string | null;
  /** True only if the issuer states it explicitly. */
  readonly emailVerified: boolean;
  readonly name: string | null;
  readonly roles: readonly InstallationRole[];
}

const longestText = 255;
const mostAudiences = 20;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= longestText && !/\p{Cc}/u.test(value);
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
const isAudience = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 2048;

/**
 * Reads the claims by a strict schema: texts are texts, times are whole numbers, `sub`, `aud`, `iat` and `exp` are
 * there. Null when they do not fit it.
 */
export function readExternalClaims(payload: Record<string, unknown>): ExternalClaims | null {
  const { sub, iat, exp, azp = null, nonce = null, jti = null, nbf = null, auth_time = null } = payload;
  const audiences = readAudiences(payload);
  if (!isText(sub) || audiences === null || !isTime(iat) || !isTime(exp) || exp <= iat) return null;
  if (![azp, nonce, jti].every((text) => text === null || isText(text))) return null;
  if (![nbf, auth_time].every((time) => time === null || isTime(time))) return null;
  return {
    subject: sub,
    audiences,
    authorizedParty: azp as string | null,
    nonce: nonce as string | null,
    tokenId: jti as string | null,
    issuedAt: iat,
    expiresAt: exp,
    notBefore: nbf as number | null,
    authTime: auth_time as number | null,
  };
}

/** Returns the audiences. `aud` is a text or a list of texts (RFC 7519, 4.1.3); null for anything else. */
export function readAudiences({ aud }: Record<string, unknown>): readonly string[] | null {
  const audiences = Array.isArray(aud) ? (aud as unknown[]) : [aud];
  if (audiences.length === 0 || audiences.length > mostAudiences || !audiences.every(isAudience)) return null;
  return audiences;
}

/** Returns the profile by the issuer's claim map. An invalid claim is treated as missing. */
export function readExternalProfile(
  payload: Record<string, unknown>,
  { claimMap, roleMap }: Pick<IssuerRecord, 'claimMap' | 'roleMap'>,
): ExternalProfile {
  const email = findClaim(payload, claimMap.email);
  const verified = findClaim(payload, claimMap.emailVerified);
  const name = findClaim(payload, claimMap.name);
  const stated = [findClaim(payload, claimMap.roles)].flat();
  const roles = roleMap.filter(({ claim }) => stated.includes(claim)).map(({ role }) => role);
  return {
    email: isText(email) ? email : null,
    // Some issuers send every claim as a string.
    emailVerified: verified === true || verified === 'true',
    name: isText(name) ? name : null,
    roles: [...new Set(roles)],
  };
}

/** Returns the claim with this name, or the member at a path such as `realm_access.roles`. */
function findClaim(payload: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let value: unknown = payload;
  for (const member of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value;
}
