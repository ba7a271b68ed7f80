import { hash } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import {
  type CompactToken,
  clockToleranceSeconds,
  readCompactToken,
  verifyCompactToken,
} from '../../../platform/token/compactToken.ts';
import { issuerKeys } from './issuerKeys.ts';
import { IssuerModel, type IssuerRecord } from './model.ts';
import {
  type ExternalClaims,
  type ExternalProfile,
  readAudiences,
  readExternalClaims,
  readExternalProfile,
} from './readExternalClaims.ts';
import { readSegment } from './readSegment.ts';
import { refuseSubjectToken } from './refuseSubjectToken.ts';

/** Kinds of tokens that are exchanged, both signed JWTs. */
export type ExternalTokenType = 'id_token' | 'access_token';

/** Whom an accepted external token speaks of. */
export interface ExternalIdentity {
  readonly issuer: IssuerRecord;
  readonly subject: string;
  readonly profile: ExternalProfile;
  /** Last sign-in at the issuer; null if the issuer does not state it. */
  readonly authTime: Date | null;
  /** The same for every copy of the token. */
  readonly fingerprint: string;
  /** Time after which the token can no longer be exchanged. */
  readonly exchangeableUntil: Date;
}

const longestToken = 8192;

/**
 * `typ` by kind. Other tokens of the issuer (logout tokens, proofs of possession, events) do not prove a sign-in. An
 * access token with a `typ` is not accepted as an ID token.
 */
const types: Readonly<Record<ExternalTokenType, ReadonlySet<string | undefined>>> = {
  id_token: new Set([undefined, 'jwt']),
  access_token: new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']),
};

/**
 * Verifies a token of an external issuer of this installation by the rules for own tokens. `typ` and the claim
 * `installation` are not required; the configuration states the valid `aud` and `azp`. Own keys verify no external
 * token, and only the configured algorithms are accepted.
 *
 * @throws AppError 401 `token_malformed`, `token_invalid`, `token_expired`, `token_not_yet_valid`; 503 `unavailable`
 *   if the issuer's keys were never read and cannot be read now
 */
export async function verifyExternalToken(
  text: string,
  { type, nonce }: { type: ExternalTokenType; nonce?: string | undefined },
  context: RequestContext,
): Promise<ExternalIdentity> {
  const token = readToken(text, type);
  const issuer = await findIssuer(token, context);
  if (!(issuer.algorithms as readonly string[]).includes(token.header.alg)) throw invalid('algorithm');
  const key = await issuerKeys(context.platform, issuer).find(token.header.kid);
  if (!key) throw invalid('key');
  const nowSeconds = Math.floor(context.platform.now() / 1000);
  const payload = verify(() => verifyCompactToken(token, key, { issuer: issuer.issuer, nowSeconds }));
  const claims = readExternalClaims(payload as Record<string, unknown>);
  if (!claims) throw invalid('claims');
  assertMeantForUs(claims, issuer);
  assertTimes(claims, issuer, nowSeconds);
  // The nonce of a stolen token is readable, so it proves nothing here. A client that sends its nonce learns whether
  // the token belongs to the sign-in that it started (OpenID Connect Core 3.1.3.7).
  if (nonce !== undefined && nonce !== claims.nonce) throw invalid('nonce');
  return {
    issuer,
    subject: claims.subject,
    profile: readExternalProfile(payload as Record<string, unknown>, issuer),
    authTime: claims.authTime === null ? null : new Date(claims.authTime * 1000),
    fingerprint: fingerprintOf(token, claims, issuer),
    exchangeableUntil: new Date((lastSecondOf(claims, issuer) + clockToleranceSeconds) * 1000),
  };
}

/** Parses a token and checks everything that needs neither a key nor the database. */
function readToken(text: string, type: ExternalTokenType): CompactToken {
  if (text.length > longestToken) throw refuseSubjectToken('token_malformed', 'size');
  const token = verify(() => readCompactToken(text));
  const [header, payload] = token.segments;
  if (!readSegment(header) || !readSegment(payload)) throw refuseSubjectToken('token_malformed', 'members');
  if (!types[type].has(token.header.typ?.toLowerCase())) throw invalid('type');
  return token;
}

/** Returns the issuer of this installation that the token names, with an audience of this installation. */
async function findIssuer(
  { segments }: CompactToken,
  { installationId, platform }: RequestContext,
): Promise<IssuerRecord> {
  const claims = readSegment(segments[1]) ?? {};
  const audiences = readAudiences(claims);
  const { iss } = claims;
  if (typeof iss !== 'string' || audiences === null || iss === platform.issuer) throw invalid('issuer');
  const found = await IssuerModel.findOne({
    installationId,
    issuer: iss,
    audiences: { $in: audiences },
    state: 'active',
  })
    .sort({ _id: 1 })
    .lean<IssuerRecord>()
    .exec();
  if (!found) throw invalid('issuer');
  return found;
}

/**
 * Checks the authorized party (OpenID Connect Core 3.1.3.7, 3 to 5). With several audiences, the issuer must state for
 * whom it issued the token.
 */
function assertMeantForUs(
  { audiences, authorizedParty }: ExternalClaims,
  { audiences: ours, authorizedParties }: IssuerRecord,
): void {
  if (!audiences.some((audience) => ours.includes(audience))) throw invalid('audience');
  if (authorizedParty === null) {
    if (audiences.length > 1) throw invalid('audience');
  } else if (!ours.includes(authorizedParty) && !authorizedParties.includes(authorizedParty)) {
    throw invalid('audience');
  }
}

function assertTimes(claims: ExternalClaims, issuer: IssuerRecord, nowSeconds: number): void {
  const { issuedAt, notBefore, authTime } = claims;
  if (Math.max(issuedAt, notBefore ?? 0, authTime ?? 0) > nowSeconds + clockToleranceSeconds)
    throw refuseSubjectToken('token_not_yet_valid', 'time');
  if (nowSeconds >= lastSecondOf(claims, issuer) + clockToleranceSeconds)
    throw refuseSubjectToken('token_expired', 'time');
}

function lastSecondOf({ issuedAt, expiresAt }: ExternalClaims, { maxTokenAgeSeconds }: IssuerRecord): number {
  return Math.min(expiresAt, issuedAt + maxTokenAgeSeconds);
}

/**
 * Returns the fingerprint of a token. It excludes the signature, because a second valid ECDSA signature can be derived
 * from the first. A `jti` identifies the token regardless of its other content.
 */
function fingerprintOf(
  { segments }: CompactToken,
  { tokenId }: ExternalClaims,
  issuer: IssuerRecord,
): string {
  const { installationId, issuer: url } = issuer;
  const what = tokenId === null ? ['signed', segments[0], segments[1]] : ['jti', tokenId];
  return hash('sha256', JSON.stringify([installationId, url, ...what]), 'base64url');
}

/** Runs a check of the platform and states its refusal in the format of this endpoint. */
function verify<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof AppError) throw refuseSubjectToken(error.code, String(error.cause));
    throw error;
  }
}

function invalid(rule: string): AppError {
  return refuseSubjectToken('token_invalid', rule);
}
