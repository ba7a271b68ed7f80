import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { IssueTokenInput } from '../../identity.generated.ts';
import { hasActiveFactor } from '../mfa-factor/liveFactors.ts';
import { decodeMfaToken, type MfaToken, passwordVersionOf } from '../mfa-factor/mfaToken.ts';
import { takeOtpAttempt } from '../mfa-factor/otpThrottle.ts';
import { spendOtp, spendRecoveryCode } from '../mfa-factor/spendCode.ts';
import { readApplication } from '../session/readApplication.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { completeSignIn } from './completeSignIn.ts';
import { consumeProof } from './consumeProof.ts';
import type { Grant } from './Grant.ts';
import { invalidMember, requiredMember } from './requiredMember.ts';

/**
 * Grant type `urn:marketplace:mfa-otp`: the second step of a sign-in. After a wrong code, the token of the first step
 * stays valid; a correct code consumes it.
 */
export const signInWithOtp: Grant = async (input, context) => {
  const text = requiredMember(input, 'mfaToken');
  const { member, code } = readCode(input);
  const token = readToken(text, readApplication(input), context);
  const user = await scoped(UserModel, context.installationId).findOne({ _id: token.userId });
  if (!user || !isStillGood(token, user)) throw refused('mfaToken');
  const attempt = await takeOtpAttempt(context, user._id, token.passwordVersion);
  const spend = member === 'otp' ? spendOtp : spendRecoveryCode;
  if (!(await spend(context, user, code))) throw refused(member);
  await attempt.refund();
  if (!(await consumeProof(context, token.id, new Date(token.expiresAt)))) throw refused('mfaToken');
  return completeSignIn(context, user, {
    amr: [token.method, 'otp'],
    authTime: token.authTime === null ? null : new Date(token.authTime),
    clientId: token.clientId,
    linkSession: input.linkSession,
  });
};

type CodeMember = 'otp' | 'recoveryCode';

/** Returns the code. Exactly one member is allowed, because both would leave open which one to consume. */
function readCode(input: IssueTokenInput): { member: CodeMember; code: string } {
  const stated = (['otp', 'recoveryCode'] as const).filter((member) => input[member]);
  const [member] = stated;
  if (member && stated.length === 1) return { member, code: input[member] ?? '' };
  throw invalidMember('otp', `The grant type "${input.grantType}" needs either "otp" or a recovery code.`);
}

function readToken(text: string, clientId: string, { platform, installationId }: RequestContext): MfaToken {
  const token = decodeMfaToken(platform.secrets.derive('mfaToken'), text);
  const isOurs = token?.installationId === installationId && token.clientId === clientId;
  if (token && isOurs && token.expiresAt > platform.now()) return token;
  throw refused('mfaToken');
}

function isStillGood({ passwordVersion }: MfaToken, user: UserRecord): boolean {
  if (user.state === 'deleted' || !hasActiveFactor(user.factors)) return false;
  return passwordVersion === passwordVersionOf(user.passwordHash);
}

const details: Readonly<Record<CodeMember | 'mfaToken', string>> = {
  mfaToken: 'This mfaToken is invalid or has expired. Start the sign-in again.',
  otp: 'The code does not match a factor at this time, or was already used.',
  recoveryCode: 'The recovery code is wrong or was already used.',
};

/** Returns the 401 whose pointer states what to repeat: the code, or the first step. */
function refused(member: keyof typeof details): AppError {
  const detail = details[member];
  const errors = [{ pointer: `#/${member}`, code: 'invalid_credentials', detail }];
  return new AppError('invalid_credentials', detail, { error: 'invalid_grant', errors });
}
