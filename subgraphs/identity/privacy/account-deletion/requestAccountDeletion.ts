import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { RequestAccountDeletionInput } from '../../identity.generated.ts';
import type { LeavingUser, Obligation, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { assertNotLastAdministrator } from '../../people/user/assertNotLastAdministrator.ts';
import { changeUserState } from '../../people/user/changeUserState.ts';
import { UserModel } from '../../people/user/model.ts';

const graceMs = 30 * dayMs;

/**
 * Schedules the deletion of the caller's account. Sessions stay, so that it can be canceled.
 *
 * @param personalData what all resources store about people
 */
export async function requestAccountDeletion(
  { expectedVersion }: RequestAccountDeletionInput,
  context: RequestContext,
  personalData: readonly PersonalData[],
) {
  const { installationId, platform, viewer } = context;
  const requestedAt = new Date(platform.now());
  const deletion = { requestedAt, effectiveAt: new Date(requestedAt.getTime() + graceMs) };
  await inTransaction(async (session) => {
    const user = await reads(UserModel, installationId).findOne({ _id: viewer.id }, { session });
    if (!user) throw notFound('The user');
    assertVersion(user.version, expectedVersion);
    await assertNotLastAdministrator(context, user, session);
    const leaving = { installationId, userId: user._id, at: requestedAt, session };
    await assertNoObligations(leaving, personalData);
    const actor = { type: 'user', id: user._id } as const;
    await changeUserState(
      context,
      user,
      { by: 'requestAccountDeletion', actor, set: { deletion } },
      { session },
    );
    const target = { type: 'user', id: user._id };
    await recordAudit(context, { action: 'requestAccountDeletion', target }, { session });
    const { email: to, locale, displayName } = user;
    const data = { displayName, effectiveAt: deletion.effectiveAt.toISOString() };
    await queueMail(context, { to, locale, template: 'accountDeletionScheduled', data }, { session });
  });
  platform.forgetPrincipal({ userId: viewer.id });
  return { deletion };
}

/**
 * Checks that no obligation prevents the deletion.
 *
 * @throws AppError `open_obligations` with all of them at once
 */
async function assertNoObligations(
  leaving: LeavingUser,
  personalData: readonly PersonalData[],
): Promise<void> {
  const obligations: Obligation[] = [];
  for (const { owes } of personalData) obligations.push(...((await owes?.(leaving)) ?? []));
  if (obligations.length === 0) return;
  throw new AppError('open_obligations', 'This account still has open obligations. Complete these first.', {
    obligations: obligations.slice(0, 100),
  });
}
