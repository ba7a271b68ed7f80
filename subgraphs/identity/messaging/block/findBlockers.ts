import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import type { Parties } from './assertMayWrite.ts';
import { BlockModel } from './model.ts';

/** Returns the members of both sides who have blocked a member of the other side. For a dealer, any member counts. */
export async function findBlockers(
  { buyerUserId, sellerUserId, dealerId }: Parties,
  context: RequestContext,
): Promise<string[]> {
  const dealer = dealerId === null ? null : await context.loader(dealerLoader).load(dealerId);
  const sellers = dealer?.members.map(({ userId }) => userId) ?? [sellerUserId ?? ''];
  const blocks = await scoped(BlockModel, context.installationId).find({
    $or: [
      { blockedUserId: buyerUserId, userId: { $in: sellers } },
      { blockedUserId: { $in: sellers }, userId: buyerUserId },
    ],
  });
  return [...new Set(blocks.map(({ userId }) => userId))];
}
