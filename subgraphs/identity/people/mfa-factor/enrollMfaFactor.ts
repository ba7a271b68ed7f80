import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidField } from '../../../platform/errors/AppError.ts';
import { once } from '../../../platform/idempotency/once.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { EnrollMfaFactorInput } from '../../identity.generated.ts';
import { isDeceptive } from '../../kernel/text/checkLine.ts';
import { type MfaFactorRecord, UserModel } from '../user/model.ts';
import { openFactorSecret, sealFactorSecret } from './factorSecret.ts';
import { verificationLifeMs } from './liveFactors.ts';
import { newTotpSecret, toOtpauthUri } from './totp.ts';

const mostFactors = 5;

/**
 * Enrolls a factor. Only the id is stored under the idempotency key. The encrypted secret is read from the user, and
 * only until it is confirmed. A later retry does not return the secret of an active factor.
 */
export async function enrollMfaFactor(input: EnrollMfaFactorInput, context: RequestContext) {
  const label = input.label.trim();
  assertLabel(label);
  const { factorId } = await once(context, 'enrollMfaFactor', input, async (attempt) => {
    const factorId = attempt.newId('mfaFactor');
    await addFactor(context, { id: factorId, label });
    return { factorId };
  });
  const { platform, installation, installationId, viewer } = context;
  const user = await scoped(UserModel, installationId).findOne(
    { _id: viewer.id },
    { projection: { email: 1, factors: 1 } },
  );
  const factor = user?.factors.find(({ id }) => id === factorId);
  if (!user || factor?.state !== 'unverified')
    throw new AppError('invalid_transition', 'This enrollment has ended. Its secret is not shown again.');
  const secret = openFactorSecret(platform, user._id, factor);
  return {
    factor,
    secret,
    otpauthUri: toOtpauthUri(secret, { issuer: installation.name, account: user.email }),
    expiresAt: new Date(factor.createdAt.getTime() + verificationLifeMs),
  };
}

/**
 * Adds a factor in one conditional update, so of concurrent enrollments at most five succeed. A resumed run finds its
 * own factor.
 */
async function addFactor(
  { platform, installationId, viewer }: RequestContext,
  { id, label }: Pick<MfaFactorRecord, 'id' | 'label'>,
): Promise<void> {
  const users = scoped(UserModel, installationId);
  const createdAt = new Date(platform.now());
  const forgotten = new Date(createdAt.getTime() - verificationLifeMs);
  await users.findOneAndUpdate(
    { _id: viewer.id, factors: { $elemMatch: { state: 'unverified', createdAt: { $lte: forgotten } } } },
    { $pull: { factors: { state: 'unverified', createdAt: { $lte: forgotten } } } },
  );
  const place = { userId: viewer.id, factorId: id };
  const factor: MfaFactorRecord = {
    id,
    label,
    state: 'unverified',
    sealedSecret: sealFactorSecret(platform, place, newTotpSecret()),
    lastUsedStep: 0,
    createdAt,
  };
  const added = await users.findOneAndUpdate(
    { _id: viewer.id, 'factors.id': { $ne: id }, [`factors.${mostFactors - 1}`]: { $exists: false } },
    { $push: { factors: factor } },
  );
  if (added) return;
  const own = await users.findOne({ _id: viewer.id, 'factors.id': id }, { projection: { _id: 1 } });
  if (own) return;
  throw new AppError('factor_limit', `An account can have at most ${mostFactors} second factors.`);
}

function assertLabel(label: string): void {
  const length = [...label].length;
  if (length >= 1 && length <= 60 && !isDeceptive(label)) return;
  const detail = 'A label must have 1 to 60 characters and no control or text-direction characters.';
  throw invalidField('#/label', detail);
}
