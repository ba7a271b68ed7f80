import { scoped } from '../../../platform/installation/scoped.ts';
import { toTokens } from '../session/openSession.ts';
import { readApplication } from '../session/readApplication.ts';
import { refreshTokenInvalid, spendRefreshToken } from '../session/spendRefreshToken.ts';
import { UserModel } from '../user/model.ts';
import type { Grant } from './Grant.ts';
import { requiredMember } from './requiredMember.ts';

/**
 * Grant type `refresh_token`. It renews neither the time nor the methods of the sign-in. Suspended users may refresh,
 * because they can still read their own account. An application that names itself must be the one that signed in (RFC
 * 6749, 5.2).
 */
export const refreshSession: Grant = async (input, context) => {
  const text = requiredMember(input, 'refreshToken');
  const of = input.clientId ? { clientId: readApplication(input) } : {};
  const session = await spendRefreshToken(text, context, { of });
  const user = await scoped(UserModel, context.installationId).findOne(
    { _id: session.userId },
    { projection: { roles: 1, state: 1 } },
  );
  if (!user || user.state === 'deleted') throw refreshTokenInvalid();
  return toTokens(context, session, user.roles);
};
