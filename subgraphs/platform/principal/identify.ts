import { AppError } from '../errors/AppError.ts';
import { audienceOf } from '../installation/Installation.ts';
import type { Installations } from '../installation/Installations.ts';
import type { KeySet } from '../token/KeySet.ts';
import { type VerifiedToken, verifyToken } from '../token/verifyToken.ts';
import { anonymous, type Identity } from './Identity.ts';
import type { PrincipalVerdict } from './PrincipalVerdict.ts';
import type { Principals } from './principals.ts';
import { Viewer } from './Viewer.ts';

/** Dependencies of `createIdentify`. */
export interface IdentifyOptions {
  keys: KeySet;
  issuer: string;
  installations: Installations;
  principals: Principals;
  now: () => number;
}

/**
 * Returns the function that converts the `Authorization` header to an identity: first the token rules without the
 * database, then the principal from the database. Rejections are values instead of exceptions, because a public field
 * may have to distinguish them from anonymous callers.
 */
export function createIdentify({ keys, issuer, installations, principals, now }: IdentifyOptions) {
  const audience = (installationId: string): string | null => {
    const installation = installations.findById(installationId);
    return installation && audienceOf(installation);
  };
  const options = { keys, issuer, audienceOf: audience, now };
  const recognise = (token: VerifiedToken, fresh: boolean): Identity | Promise<Identity> => {
    const verdict = principals.read(token, fresh);
    const mfaRequiredRoles = installations.findById(token.installationId)?.settings.mfaRequiredRoles ?? [];
    return verdict instanceof Promise
      ? verdict.then((done) => toIdentity(token, done, mfaRequiredRoles))
      : toIdentity(token, verdict, mfaRequiredRoles);
  };
  return (authorization: string | string[] | undefined, fresh: boolean): Identity | Promise<Identity> => {
    if (authorization === undefined) return anonymous;
    try {
      const token = verifyToken(authorization, options);
      return token instanceof Promise
        ? token.then((verified) => recognise(verified, fresh)).catch(toRejection)
        : recognise(token, fresh);
    } catch (error) {
      return toRejection(error);
    }
  };
}

function toIdentity(
  token: VerifiedToken,
  verdict: PrincipalVerdict,
  mfaRequiredRoles: readonly string[],
): Identity {
  if ('principal' in verdict)
    return { kind: 'accepted', viewer: new Viewer(token, verdict.principal, mfaRequiredRoles) };
  const detail =
    verdict.refused === 'session_revoked'
      ? 'This session has ended. Sign in again.'
      : 'This account no longer exists.';
  return {
    kind: 'rejected',
    error: new AppError(verdict.refused, detail, { challenge: 'error="invalid_token"' }),
  };
}

function toRejection(error: unknown): Identity {
  if (!(error instanceof AppError)) throw error;
  return error.code === 'token_missing' ? anonymous : { kind: 'rejected', error };
}
