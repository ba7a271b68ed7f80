import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { IssueTokenInput } from '../../identity.generated.ts';
import { openFactorSecret } from '../mfa-factor/factorSecret.ts';
import { findTimeStep } from '../mfa-factor/totp.ts';
import { createLoginThrottle } from '../session/loginThrottle.ts';
import type { Tokens } from '../session/openSession.ts';
import { verifyPassword } from '../user/hashPassword.ts';
import { operatorFactor } from './addOperator.ts';
import { issueOperatorToken } from './issueOperatorToken.ts';
import { OperatorModel, type OperatorRecord } from './model.ts';

/** Credentials of an operator, all in one request: a password alone is not confirmed. */
export type OperatorCredentials = Record<'username' | 'password' | 'otp', string>;

/**
 * Returns the credentials of an operator; null if they are incomplete or those of an account, whose name is always an
 * email address.
 */
export function readOperatorCredentials({
  username,
  password,
  otp,
}: Pick<IssueTokenInput, 'username' | 'password' | 'otp'>): OperatorCredentials | null {
  return username && password && otp && !username.includes('@') ? { username, password, otp } : null;
}

/**
 * Signs an operator in to the installation of the request: name, password and code of the second factor are all
 * required. The error does not state which of them is wrong, or whether the operator exists. Each attempt for an
 * existing operator is recorded as an audit event in the installation.
 *
 * @throws AppError `invalid_credentials`, `too_many_attempts`
 */
export async function signInOperator(
  { username, password, otp }: OperatorCredentials,
  context: RequestContext,
): Promise<Tokens> {
  const name = username.trim().slice(0, 64).toLowerCase();
  const throttle = createLoginThrottle(context, `operator ${name}`);
  await throttle.assertOpen();
  const operator = await OperatorModel.findOne({ name, state: 'active' }).lean<OperatorRecord>().exec();
  const { secrets } = context.platform;
  const fits = await verifyPassword(secrets, operator?.passwordHash ?? null, password);
  if (!operator || !fits || !(await spendCode(operator, otp, context))) {
    await throttle.recordFailure();
    if (operator) await record(operator, context, 'denied');
    throw new AppError('invalid_credentials', 'The name, password or code is wrong.', {
      error: 'invalid_grant',
    });
  }
  await throttle.recordSuccess();
  await record(operator, context, 'allowed');
  return issueOperatorToken(context, operator);
}

/** Consumes a code. A TOTP step is accepted once in the whole deployment, regardless of the installation. */
async function spendCode(
  operator: OperatorRecord,
  otp: string,
  { platform }: RequestContext,
): Promise<boolean> {
  const factor = { id: operatorFactor, sealedSecret: operator.sealedSecret };
  const step = findTimeStep(openFactorSecret(platform, operator._id, factor), otp, platform.now());
  if (step === null) return false;
  const { matchedCount } = await OperatorModel.updateOne(
    { _id: operator._id, state: 'active', lastUsedStep: { $lt: step } },
    { $set: { lastUsedStep: step } },
  );
  return matchedCount === 1;
}

async function record(
  { _id }: OperatorRecord,
  context: RequestContext,
  result: 'allowed' | 'denied',
): Promise<void> {
  await recordAudit(context, {
    actor: { type: 'operator', id: _id },
    action: 'issueToken',
    target: { type: 'operator', id: _id },
    result,
    reason: result === 'denied' ? 'invalid_credentials' : null,
  });
}
