import { isId } from '../ids/newId.ts';
import type { VerifiedToken } from './VerifiedToken.ts';

/** Claims of an access token, unconverted (RFC 9068, RFC 7519). */
export interface AccessTokenPayload {
  iss: string;
  aud: string;
  sub: string;
  installation: string;
  sid: string;
  client_id?: string;
  roles?: readonly string[];
  scope?: string;
  auth_time?: number;
  amr?: readonly string[];
  acr?: string;
  iat: number;
  nbf?: number;
  exp: number;
  jti: string;
  dealer?: string;
  act?: { sub: string };
}

/** The claims that the verifier compares, and the token as the rest of the program sees it. */
export interface VerifiedClaims {
  readonly token: VerifiedToken;
  readonly issuer: string;
  readonly audience: string;
  /** The latest of all times that must not be in the future, in seconds. */
  readonly startsAt: number;
}

/** Maximum lifetime of an access token in seconds, for every issuer. */
const longestLifetimeSeconds = 900;
/** Maximum lifetime in seconds of an operator's token, or of a token on behalf of one. */
const longestOperatorLifetimeSeconds = 600;

const installationPattern = /^ins_[0-9A-Za-z]{1,40}$/;
const tokenIdPattern = /^[A-Za-z0-9_-]{16,64}$/;
const wordPattern = /^[A-Za-z0-9_:.-]{1,64}$/;
/** RFC 6749, 3.3: words between single spaces. */
const scopePattern = /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/;
const longestText = 2048;

type Rules = { readonly [Claim in keyof AccessTokenPayload]-?: (value: unknown) => boolean };

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= longestText;
const matches =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value.length <= longestText && pattern.test(value);
const isIdOf =
  (type: Parameters<typeof isId>[0]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && isId(type, value);
const isTime = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
const isWords = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= 32 && value.every(matches(wordPattern));

const rules: Rules = {
  iss: isText,
  aud: isText,
  sub: (value) => typeof value === 'string' && subjectTypeOf(value) !== undefined,
  installation: matches(installationPattern),
  sid: isIdOf('session'),
  client_id: matches(wordPattern),
  roles: isWords,
  scope: matches(scopePattern),
  auth_time: isTime,
  amr: isWords,
  acr: matches(wordPattern),
  iat: isTime,
  nbf: isTime,
  exp: isTime,
  jti: matches(tokenIdPattern),
  dealer: isIdOf('dealer'),
  act: isActor,
};
const required = ['iss', 'aud', 'sub', 'installation', 'sid', 'iat', 'exp', 'jti'] as const;

/**
 * Parses the claims of a verified payload by a strict schema. An object instead of a text (as in `"sub": {"$ne":
 * null}`), a list instead of the one audience, or a lifetime that is too long is refused, even with a valid signature.
 * Unknown members are ignored (RFC 7519, 4).
 *
 * @returns null if the payload does not match the schema
 */
export function readClaims(payload: unknown): VerifiedClaims | null {
  if (!isAccessTokenPayload(payload)) return null;
  const lifetime = payload.exp - payload.iat;
  const byOperator = payload.act !== undefined || subjectTypeOf(payload.sub) === 'operator';
  if (lifetime <= 0 || lifetime > (byOperator ? longestOperatorLifetimeSeconds : longestLifetimeSeconds))
    return null;
  const { iss: issuer, aud: audience, iat, nbf = 0, auth_time: authTime = 0 } = payload;
  return { token: toVerifiedToken(payload), issuer, audience, startsAt: Math.max(iat, nbf, authTime) };
}

function isAccessTokenPayload(payload: unknown): payload is AccessTokenPayload {
  if (typeof payload !== 'object' || payload === null) return false;
  if (!required.every((claim) => Object.hasOwn(payload, claim))) return false;
  const claims = payload as Record<string, unknown>;
  return Object.entries(rules).every(
    ([claim, holds]) => !Object.hasOwn(claims, claim) || holds(claims[claim]),
  );
}

function toVerifiedToken(payload: AccessTokenPayload): VerifiedToken {
  const { sub, scope, acr, dealer, act } = payload;
  return Object.freeze({
    subject: sub,
    subjectType: subjectTypeOf(sub) as VerifiedToken['subjectType'],
    installationId: payload.installation,
    sessionId: payload.sid,
    clientId: payload.client_id ?? null,
    scopes: new Set(scope?.split(' ')),
    authTime: payload.auth_time ?? 0,
    amr: Object.freeze([...(payload.amr ?? [])]),
    issuedAt: payload.iat,
    expiresAt: payload.exp,
    tokenId: payload.jti,
    ...(acr !== undefined && { acr }),
    ...(dealer !== undefined && { dealerId: dealer }),
    ...(act !== undefined && { act: Object.freeze({ sub: act.sub }) }),
  });
}

function subjectTypeOf(subject: string): VerifiedToken['subjectType'] | undefined {
  return (['user', 'client', 'operator'] as const).find((type) => isId(type, subject));
}

function isActor(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return false;
  return 'sub' in value && isIdOf('operator')(value.sub);
}
