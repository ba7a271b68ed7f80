import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { endSessions } from '../session/endSessions.ts';
import {
  openSession,
  type SessionTokens,
  type SignInFacts,
  signInOf,
  type Tokens,
  toTokens,
} from '../session/openSession.ts';
import { spendRefreshToken } from '../session/spendRefreshToken.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { demandSecondFactor } from './demandSecondFactor.ts';

/** The methods of a sign-in, and whether it renews an existing session. */
interface ProvenSignIn extends SignInFacts {
  /** Refresh token of the session to renew (RFC 9470): the same user's, or it is refused. */
  linkSession?: string | null | undefined;
}

/**
 * Completes a sign-in, with two factors if the user has a second one. The result is a new session, or the time and
 * methods of this sign-in for the session of the given refresh token. That session keeps its id, and the token is
 * rotated.
 *
 * @throws AppError `mfa_required`; `refresh_token_invalid`, `refresh_token_reused` for the session to renew
 */
export async function completeSignIn(
  context: RequestContext,
  user: UserRecord,
  { linkSession, ...facts }: ProvenSignIn,
): Promise<Tokens> {
  demandSecondFactor(context, user, facts);
  const tokens = linkSession
    ? await renewSession(context, user, linkSession, facts)
    : await openSession(context, user, facts);
  await assertStillProven(context, user, facts, tokens.sessionId);
  return tokens;
}

async function renewSession(
  context: RequestContext,
  user: UserRecord,
  refreshToken: string,
  facts: SignInFacts,
): Promise<SessionTokens> {
  const session = await spendRefreshToken(refreshToken, context, {
    of: { userId: user._id },
    signIn: signInOf(context, facts),
  });
  return toTokens(context, session, user.roles);
}

/**
 * Checks that the credentials are still valid, because the password may have changed, or the account may have been
 * erased, during the sign-in. Existing sessions end with such a change, but this one may be stored after it. The check
 * writes the same record, so it conflicts with a concurrent change: one of the two sees the other.
 *
 * @throws AppError `invalid_credentials`; the session is ended
 */
async function assertStillProven(
  context: RequestContext,
  { _id, passwordHash }: UserRecord,
  { amr }: SignInFacts,
  sessionId: string,
): Promise<void> {
  const filter = { _id, state: { $ne: 'deleted' as const }, ...(amr.includes('pwd') && { passwordHash }) };
  const lastSignInAt = new Date(context.platform.now());
  const users = scoped(UserModel, context.installationId);
  if (await users.findOneAndUpdate(filter, { $set: { lastSignInAt } })) return;
  await endSessions(context, { _id: sessionId }, 'password_changed');
  throw new AppError(
    'invalid_credentials',
    'The password was changed during the sign-in. Sign in with the new one.',
    {
      error: 'invalid_grant',
    },
  );
}
