import { randomBytes } from 'node:crypto';
import { newId } from '../../../platform/ids/newId.ts';
import { isDuplicateKey } from '../../../platform/installation/scoped.ts';
import type { Secrets } from '../../../platform/secrets/deriveSecret.ts';
import { sealFactorSecret } from '../mfa-factor/factorSecret.ts';
import { newTotpSecret, toOtpauthUri } from '../mfa-factor/totp.ts';
import { hashPassword } from '../user/hashPassword.ts';
import { OperatorModel, type OperatorRecord } from './model.ts';

/** Names of operators hold no `@`: they are never an account's. */
export const operatorNamePattern = /^[a-z][a-z0-9._-]{2,31}$/;
/** NIST SP 800-63B-4, 3.1.1.2: an operator of every installation has no short password. */
const shortestPassword = 15;
const longestPassword = 128;

/** Name of the one second factor of an operator, which its sealed secret belongs to. */
export const operatorFactor = 'totp';

/** Shown once, to the creator of the operator. */
export interface AddedOperator {
  readonly operator: OperatorRecord;
  readonly password: string;
  /** URI for an authenticator application. */
  readonly otpauthUri: string;
}

/**
 * Creates an operator with a password and a second factor, which is required.
 *
 * @param given the password is generated if omitted
 * @param surroundings `issuer` names this deployment in the authenticator application
 * @throws Error that states what is wrong with the name or the password
 */
export async function addOperator(
  given: { name: string; password?: string | undefined },
  { secrets, now, issuer }: { secrets: Secrets; now: () => number; issuer: string },
): Promise<AddedOperator> {
  const { name, password = randomBytes(18).toString('base64url') } = given;
  if (!operatorNamePattern.test(name))
    throw new Error('the name must have 3 to 32 characters of a-z 0-9 . _ - and begin with a letter.');
  if ([...password].length < shortestPassword || [...password].length > longestPassword)
    throw new Error(`the password must have ${shortestPassword} to ${longestPassword} characters.`);
  const _id = newId('operator');
  const secret = newTotpSecret();
  const operator: OperatorRecord = {
    _id,
    name,
    passwordHash: await hashPassword(secrets, password),
    sealedSecret: sealFactorSecret({ secrets }, { userId: _id, factorId: operatorFactor }, secret),
    lastUsedStep: 0,
    state: 'active',
    createdAt: new Date(now()),
    removedAt: null,
  };
  try {
    await OperatorModel.create(operator);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new Error(`an operator "${name}" exists or existed. Names cannot be reused.`, { cause: error });
  }
  return { operator, password, otpauthUri: toOtpauthUri(secret, { issuer, account: name }) };
}

/**
 * Removes an operator with all of the operator's tokens in every installation, with immediate effect.
 *
 * @throws Error if there is no such operator
 */
export async function removeOperator(name: string, now: () => number): Promise<OperatorRecord> {
  const removed = await OperatorModel.findOneAndUpdate(
    { name, state: 'active' },
    { $set: { state: 'removed', removedAt: new Date(now()), passwordHash: '-', sealedSecret: '-' } },
    { returnDocument: 'after' },
  )
    .lean<OperatorRecord>()
    .exec();
  if (removed) return removed;
  throw new Error(
    `the operator "${name}" does not exist. List all operators with: npm run operators -- list`,
  );
}
