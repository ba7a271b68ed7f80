import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { assertMayChange } from '../../kernel/dealer-standing/assertMayChange.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { userLoader } from '../../people/user/policy.ts';
import { type ConversationRecord, type Side } from '../conversation/model.ts';
import { BlockModel, blockId } from './model.ts';

/** Sides of a message. */
export type Parties = Pick<ConversationRecord, 'buyerUserId' | 'sellerUserId' | 'dealerId'>;

/** States of an account that can receive messages. */
const reachable: readonly string[] = ['active', 'unverified'];

/**
 * Checks that the viewer may write as this side, and that the recipient can receive messages. The reason for a refusal
 * is not revealed.
 *
 * @throws AppError `email_unverified`, `dealer_not_active`, `recipient_unavailable`
 */
export async function assertMayWrite(parties: Parties, side: Side, context: RequestContext): Promise<void> {
  const { viewer } = context;
  if (!viewer.isClient && !viewer.principal.emailVerified)
    throw new AppError('email_unverified', 'Your email address is not confirmed. Confirm it first.');
  const dealer = parties.dealerId === null ? null : await context.loader(dealerLoader).load(parties.dealerId);
  if (side === 'seller' && dealer) assertMayChange(dealer);
  const isThere =
    side === 'buyer' && parties.dealerId !== null
      ? dealer?.state === 'active'
      : await isReachable(side === 'buyer' ? parties.sellerUserId : parties.buyerUserId, context);
  if (!isThere || (await isBarred(parties, side, context))) throw recipientUnavailable();
}

/**
 * Returns whether a block prevents the message. A member who joined after the buyer's block does not block the
 * conversation, but cannot write to the buyer.
 */
async function isBarred(
  { buyerUserId, dealerId }: Parties,
  side: Side,
  { viewer, installationId }: RequestContext,
): Promise<boolean> {
  if (side === 'buyer' || dealerId === null || viewer.isClient) return false;
  const _id = blockId(buyerUserId, viewer.id);
  return (await scoped(BlockModel, installationId).findOne({ _id })) !== null;
}

async function isReachable(userId: string | null, context: RequestContext): Promise<boolean> {
  if (userId === null) return false;
  const users = context.loader(userLoader);
  // The response shows the author's name, so both users are read together.
  const [user] = await Promise.all([users.load(userId), users.load(context.viewer.id)]);
  return user !== null && reachable.includes(user.state);
}

/** Returns the same error for a user who has blocked the caller, is suspended, or is deleted. */
export function recipientUnavailable(): AppError {
  return new AppError('recipient_unavailable', 'This recipient does not accept messages from you.');
}
