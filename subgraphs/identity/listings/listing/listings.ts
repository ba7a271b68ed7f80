import type { QueryFilter } from 'mongoose';
import { dealerMembershipRequired } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage, type PageRequest } from '../../../platform/pagination/findPage.ts';
import type { ListingSort, QuerylistingsArgs } from '../../identity.generated.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { ListingModel, type ListingRecord } from './record/model.ts';
import { nowIn } from './record/nowIn.ts';
import { listingLoader, ownedBy } from './record/policy.ts';
import { splitWords } from './record/toWords.ts';

type Sort = PageRequest<ListingRecord>['sort'];

const sorts: Readonly<Record<ListingSort, Sort>> = {
  created_at_desc: [{ key: 'createdAt', direction: -1 }],
  created_at_asc: [{ key: 'createdAt', direction: 1 }],
  updated_at_desc: [{ key: 'updatedAt', direction: -1 }],
  updated_at_asc: [{ key: 'updatedAt', direction: 1 }],
};
const mostWords = 8;
const longestText = 200;

/** Returns listings. The owner is part of the filter, so a list never contains other owners' records. */
export async function listings(
  args: QuerylistingsArgs,
  context: RequestContext,
): Promise<Connection<ListingRecord>> {
  const { dealerId, state, first, after } = args;
  if ((args.q?.length ?? 0) > longestText)
    throw new AppError('malformed_request', `"q" must have at most ${longestText} characters.`);
  if (dealerId) await assertMember(dealerId, context);
  const filter = {
    $and: [ownedBy(context.viewer, dealerId), ...toConditions(args)],
  } as QueryFilter<ListingRecord>;
  const collection = scoped(ListingModel, context.installationId);
  const now = context.platform.now();
  const page = await findPage({
    context,
    collection,
    filter,
    ...(state?.length ? { moving: nowIn(state, now), binding: state } : {}),
    sort: sorts[args.sort ?? 'created_at_desc'],
    first,
    after,
  });
  // The other subgraphs resolve these listings in the same request.
  const loader = context.loader(listingLoader);
  for (const listing of page.nodes) loader.prime(listing._id, listing);
  return page;
}

async function assertMember(dealerId: string, context: RequestContext): Promise<void> {
  if (context.viewer.membershipOf(dealerId)) return;
  throw (await context.loader(dealerLoader).load(dealerId))
    ? dealerMembershipRequired(dealerId)
    : notFound('The dealer');
}

function toConditions({ stockNumber, categoryId, expiresBefore, q }: QuerylistingsArgs): object[] {
  const conditions: object[] = [];
  if (stockNumber) conditions.push({ stockNumber });
  if (categoryId) conditions.push({ categoryId });
  if (expiresBefore) conditions.push({ expiresAt: { $lt: expiresBefore } });
  for (const word of splitWords(q ?? '').slice(0, mostWords)) {
    // Only letters and digits, so that none is an operator of the expression. Anchored, so that an index is used.
    conditions.push({ words: { $regex: `^${word}` } });
  }
  return conditions;
}
