import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { hashOpaqueToken, newOpaqueToken } from '../../../platform/credentials/opaqueToken.ts';
import { AppError, invalidFields, problem } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { InviteDealerMemberInput } from '../../identity.generated.ts';
import { assertMayChange } from '../../kernel/dealer-standing/assertMayChange.ts';
import { queueMail } from '../../mail/queueMail.ts';
import type { DealerRecord } from '../dealer/model.ts';
import { findDealer } from '../dealer-member/changeMembers.ts';
import { checkLocationIds } from '../dealer-member/checkLocationIds.ts';
import { outranks, roleOf } from '../dealer-member/policy.ts';
import { ensureSellerLock, lockSeller } from '../seller-standing/sellerStanding.ts';
import { normalizeEmail } from '../user/emailAddress.ts';
import { UserModel } from '../user/model.ts';
import { assertRoom, mailsPerDay } from './assertRoom.ts';
import { DealerInvitationModel, type DealerInvitationRecord } from './model.ts';

const lifeMs = 7 * dayMs;

interface Invited {
  invitation: DealerInvitationRecord;
  created: boolean;
}

/** The role of an invitation. */
type Offer = Pick<DealerInvitationRecord, 'email' | 'emailNormalized' | 'role' | 'locationIds'>;

/**
 * Invites a user. Only one invitation for each dealer and address is open: a new one replaces it, and the link of the
 * earlier mail becomes invalid.
 */
export async function inviteDealerMember(
  input: InviteDealerMemberInput,
  context: RequestContext,
): Promise<Invited> {
  const emailNormalized = normalizeEmail(input.email.trim());
  await ensureSellerLock(context, input.dealerId);
  const _id = context.attempt.newId('invitation');
  return inTransaction(async (session) => {
    // Locked first, so that concurrent invitations of one dealer count each other.
    await lockSeller(context, input.dealerId, session);
    const dealer = await findDealer(context, input.dealerId, session);
    assertMayChange(dealer);
    const role = input.role;
    const email = input.email.trim();
    const locationIds = [...new Set(input.locationIds ?? [])];
    assertMayInvite(context, dealer, role);
    assertOffer(dealer, { email, emailNormalized, role, locationIds });
    const offer = { email, emailNormalized: emailNormalized ?? '', role, locationIds };
    return invite(context, dealer, { _id, offer }, session);
  });
}

async function invite(
  context: RequestContext,
  dealer: DealerRecord,
  { _id, offer }: { _id: string; offer: Offer },
  session: ClientSession,
): Promise<Invited> {
  const invitations = scoped(DealerInvitationModel, context.installationId);
  const { emailNormalized } = offer;
  const open = await invitations.findOne(
    { dealerId: dealer._id, emailNormalized, state: 'pending' },
    { session },
  );
  // An earlier run under the same key may have crashed after it stored the invitation.
  if (open?._id === _id) return { invitation: open, created: true };
  if (open) assertMayInvite(context, dealer, open.role);
  const account = await scoped(UserModel, context.installationId).findOne({ emailNormalized }, { session });
  if (account && roleOf(dealer, account._id))
    throw new AppError('already_member', 'The user with this email address is already a member.');
  await assertRoom(context, dealer, open, session);
  const token = newOpaqueToken();
  const at = new Date(context.platform.now());
  const change = {
    ...offer,
    tokenHash: hashOpaqueToken(token),
    expiresAt: new Date(at.getTime() + lifeMs),
    invitedBy: context.viewer.id,
  };
  const invitation = open
    ? await invitations.findOneAndUpdate(
        { _id: open._id },
        { $set: change, $push: { sentAt: { $each: [at], $slice: -mailsPerDay } } },
        { session },
      )
    : await invitations.insert(
        {
          _id,
          dealerId: dealer._id,
          ...change,
          state: 'pending',
          sentAt: [at],
          acceptedBy: null,
          createdAt: at,
          doneAt: null,
        },
        { session },
      );
  if (!invitation) throw new Error('An open invitation vanished within its transaction.');
  await tell(context, { dealer, invitation, token, locale: account?.locale }, session);
  return { invitation, created: !open };
}

/**
 * Checks the caller's role.
 *
 * @throws AppError `dealer_role_required`
 */
function assertMayInvite(
  { viewer }: RequestContext,
  dealer: DealerRecord,
  role: DealerInvitationRecord['role'],
): void {
  const own = roleOf(dealer, viewer.id);
  // Invitations cannot grant ownership: see `assertOffer`.
  if (outranks(own, role) || own === 'owner') return;
  throw new AppError(
    'dealer_role_required',
    'Managers can only invite agents. An owner can invite any role but owner.',
  );
}

/**
 * Validates the offered role and locations.
 *
 * @throws AppError with every invalid member
 */
function assertOffer(
  dealer: DealerRecord,
  { emailNormalized, role, locationIds }: Omit<Offer, 'emailNormalized'> & { emailNormalized: string | null },
): void {
  const problems = [
    ...(emailNormalized === null
      ? [problem('#/email', 'An email address must have the form name@example.com.')]
      : []),
    // Ownership needs more than a mail: the change of a member's role requires a recent sign-in.
    ...(role === 'owner'
      ? [problem('#/role', 'An owner cannot be invited. Invite a manager and change the role afterwards.')]
      : []),
    ...checkLocationIds(dealer, role, locationIds),
  ];
  if (problems.length > 0) throw invalidFields(problems);
}

interface Occasion {
  dealer: DealerRecord;
  invitation: DealerInvitationRecord;
  token: string;
  /** Language of the account with this address, if there is one. */
  locale: string | undefined;
}

async function tell(
  context: RequestContext,
  { dealer, invitation, token, locale }: Occasion,
  session: ClientSession,
): Promise<void> {
  const { viewer, installationId } = context;
  const host = await scoped(UserModel, installationId).findOne({ _id: viewer.id }, { session });
  await queueMail(
    context,
    {
      to: invitation.email,
      locale: locale ?? host?.locale ?? 'en',
      template: 'dealerInvitation',
      data: {
        tradeName: dealer.tradeName,
        invitedBy: host?.displayName ?? '',
        role: invitation.role,
        token,
      },
      usefulUntil: invitation.expiresAt,
    },
    { session },
  );
  const target = { type: 'invitation', id: invitation._id };
  const reason = `${dealer._id}: ${invitation.role}`;
  await recordAudit(context, { action: 'inviteDealerMember', target, reason }, { session });
}
