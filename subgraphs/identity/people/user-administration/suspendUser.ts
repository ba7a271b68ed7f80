import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidField, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Act, performAct } from '../../../platform/mongo/performAct.ts';
import type { SuspendUserInput } from '../../identity.generated.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { peopleHooks } from '../hooks/peopleHooks.ts';
import { ensureSellerLock, withdrawOwner } from '../seller-standing/sellerStanding.ts';
import { endSessions } from '../session/endSessions.ts';
import { assertNotLastAdministrator } from '../user/assertNotLastAdministrator.ts';
import { changeUserState } from '../user/changeUserState.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { loadUser } from './adminUser.ts';
import { assertMayDecideAbout } from './policy.ts';
import { type AdminUserParent, toAdminUser } from './toAdminUser.ts';

const longestReason = 1000;

export async function suspendUser(
  input: SuspendUserInput,
  context: RequestContext,
): Promise<{ user: AdminUserParent }> {
  return { user: toAdminUser(await performAct(userSuspension(input, context))) };
}

/** Returns the suspension of a user, as part of a larger decision. */
export function userSuspension(
  input: Pick<SuspendUserInput, 'userId' | 'reason'>,
  context: RequestContext,
): Act<UserRecord> {
  return {
    async prepare() {
      assertMayDecideAbout(context.viewer, await loadUser(input.userId, context));
      readReason(input.reason);
      await ensureSellerLock(context, input.userId);
    },
    within: (session) => suspend(input.userId, readReason(input.reason), context, session),
    async settle({ _id }) {
      context.platform.forgetPrincipal({ userId: _id });
      await peopleHooks.bound.ownerChanged(context, _id);
    },
  };
}

async function suspend(
  userId: string,
  reason: string,
  context: RequestContext,
  session: ClientSession,
): Promise<UserRecord> {
  const { viewer, installationId } = context;
  const user = await scoped(UserModel, installationId).findOne({ _id: userId }, { session });
  if (!user) throw notFound('The user');
  assertMayDecideAbout(viewer, user);
  await assertNotLastAdministrator(context, user, session);
  const actor = { type: viewer.token.subjectType, id: viewer.id };
  const suspended = await changeUserState(context, user, { by: 'suspendUser', actor, reason }, { session });
  await endSessions(context, { userId }, 'suspended', { session });
  await withdrawOwner(context, userId, session);
  const { email: to, locale, displayName } = user;
  const data = { displayName, detail: reason };
  await queueMail(context, { to, locale, template: 'accountSuspended', data }, { session });
  const target = { type: 'user', id: userId };
  await recordAudit(context, { action: 'suspendUser', target, reason }, { session });
  return suspended;
}

function readReason(text: string): string {
  const reason = text.trim();
  const length = [...reason].length;
  if (length >= 1 && length <= longestReason) return reason;
  const detail = `A reason must have 1 to ${longestReason} characters.`;
  throw invalidField('#/reason', detail);
}
