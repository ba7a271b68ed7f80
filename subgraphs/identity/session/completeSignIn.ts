import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { UserRecord } from '../user/model.ts';
import { demandSecondFactor } from './demandSecondFactor.ts';
import { openSession, type SignInFacts, signInOf, type Tokens, toTokens } from './openSession.ts';
import { spendRefreshToken } from './spendRefreshToken.ts';

/** How a user proved himself, and whether it is to renew a session that he has. */
interface ProvenSignIn extends SignInFacts {
  /** Refresh token of the session to renew (RFC 9470): the same user's, or it is refused. */
  linkSession?: string | null | undefined;
}

/**
 * Signs in a user who has proved himself, by two factors if he has a second one: a new session, or the time and the
 * methods of this sign-in for the session that he shows the refresh token of. That session keeps its id, and the token
 * is rotated.
 *
 * @throws AppError `mfa_required`; `refresh_token_invalid`, `refresh_token_reused` for the session to renew
 */
export async function completeSignIn(
  context: RequestContext,
  user: UserRecord,
  { linkSession, ...facts }: ProvenSignIn,
): Promise<Tokens> {
  demandSecondFactor(context, user, facts);
  if (!linkSession) return openSession(context, user, facts);
  const session = await spendRefreshToken(linkSession, context, {
    of: { userId: user._id },
    signIn: signInOf(context, facts),
  });
  return toTokens(context, session, user.roles);
}
