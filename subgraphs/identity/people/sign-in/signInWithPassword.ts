import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { readOperatorCredentials, signInOperator } from '../operator/signInOperator.ts';
import { createLoginThrottle } from '../session/loginThrottle.ts';
import { readApplication } from '../session/readApplication.ts';
import { normalizeEmail } from '../user/emailAddress.ts';
import { hashPassword, needsRehash, verifyPassword } from '../user/hashPassword.ts';
import { UserModel } from '../user/model.ts';
import { completeSignIn } from './completeSignIn.ts';
import type { Grant } from './Grant.ts';
import { requiredMember } from './requiredMember.ts';

/** Grant type `password`: for first-party applications only (RFC 9700, 2.4). */
export const signInWithPassword: Grant = async (input, context) => {
  const operator = readOperatorCredentials(input);
  if (operator) return signInOperator(operator, context);
  const username = requiredMember(input, 'username');
  const password = requiredMember(input, 'password');
  const clientId = readApplication(input);
  // A text that is not an address has no account and takes the same time.
  const account = normalizeEmail(username.trim()) ?? username.slice(0, 254).toLowerCase();
  const throttle = createLoginThrottle(context, account);
  await throttle.assertOpen();
  const { secrets } = context.platform;
  const users = scoped(UserModel, context.installationId);
  const user = await users.findOne({ emailNormalized: account });
  const fits = await verifyPassword(secrets, user?.passwordHash ?? null, password);
  if (!user || !fits || user.state === 'deleted') {
    await throttle.recordFailure();
    throw new AppError('invalid_credentials', 'The email address or password is wrong.', {
      error: 'invalid_grant',
    });
  }
  await throttle.recordSuccess();
  if (user.passwordHash !== null && needsRehash(user.passwordHash)) {
    const passwordHash = await hashPassword(secrets, password);
    const stronger = await users.findOneAndUpdate(
      { _id: user._id, passwordHash: user.passwordHash },
      { $set: { passwordHash } },
    );
    // A concurrent request has changed the password, or rehashed the same one.
    if (!stronger) return signInWithPassword(input, context);
    user.passwordHash = passwordHash;
  }
  return completeSignIn(context, user, { amr: ['pwd'], clientId, linkSession: input.linkSession });
};
