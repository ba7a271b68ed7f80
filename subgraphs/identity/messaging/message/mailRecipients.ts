import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { queueMail } from '../../mail/queueMail.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { defaultPreferences } from '../../people/user/createUser.ts';
import { UserModel, type UserRecord } from '../../people/user/model.ts';
import type { ConversationRecord, Side } from '../conversation/model.ts';

/** Maximum number of dealer members who get a mail about a message of an unassigned conversation. */
const mostTold = 10;

/** Mails a user about an unread message. The mail contains its sender and subject, not its text. */
export async function mailRecipients(
  context: RequestContext,
  conversation: ConversationRecord,
  writer: Side,
  session: ClientSession,
): Promise<void> {
  const { installation, installationId } = context;
  const ids = writer === 'seller' ? [conversation.buyerUserId] : await sellersOf(conversation, context);
  const wanted = ids.filter((id) => !conversation.mutedBy.includes(id));
  if (wanted.length === 0) return;
  const users = await reads(UserModel, installationId).find({ _id: { $in: wanted } }, { session });
  for (const { email: to, locale, displayName } of users.filter(wantsMail)) {
    await queueMail(
      context,
      {
        to,
        locale,
        template: 'messageReceived',
        data: {
          displayName,
          title: conversation.subject?.title ?? installation.name,
          url: `${installation.baseUrl}/conversations/${conversation._id}`,
        },
      },
      { session },
    );
  }
}

/** Returns the assignee, or else the managers and owners of the dealer. */
async function sellersOf(
  { sellerUserId, dealerId, assigneeUserId }: ConversationRecord,
  context: RequestContext,
): Promise<string[]> {
  if (sellerUserId !== null) return [sellerUserId];
  if (assigneeUserId !== null) return [assigneeUserId];
  const dealer = await context.loader(dealerLoader).load(dealerId ?? '');
  const leading = dealer?.members.filter(({ role }) => role !== 'agent') ?? [];
  return leading.slice(0, mostTold).map(({ userId }) => userId);
}

function wantsMail({ state, emailVerified, notificationPreferences }: UserRecord): boolean {
  const { message } = { ...defaultPreferences, ...notificationPreferences };
  return state === 'active' && emailVerified && message.email;
}
