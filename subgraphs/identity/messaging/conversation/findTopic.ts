import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { StartConversationInput } from '../../identity.generated.ts';
import { catalogLoader } from '../../listings/catalog/public-listing/catalogLoader.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import type { ConversationRecord } from './model.ts';

/** Subject of a conversation, with its seller. */
export type Topic = Pick<
  ConversationRecord,
  'topicId' | 'listingId' | 'subject' | 'dealerId' | 'sellerUserId' | 'sellerId'
>;

/** Returns a published listing or an active dealer; null if it is not public. */
export function findTopic(
  { listingId, dealerId }: Pick<StartConversationInput, 'listingId' | 'dealerId'>,
  context: RequestContext,
): Promise<Topic | null> {
  return listingId ? ofListing(listingId, context) : ofDealer(dealerId ?? '', context);
}

async function ofListing(listingId: string, context: RequestContext): Promise<Topic | null> {
  const listing = await context.loader(catalogLoader).load(listingId);
  if (!listing) return null;
  const { title, price, media, seller } = listing;
  const coverMediaId = media.find(({ kind }) => kind === 'image')?.mediaId ?? null;
  return {
    topicId: listingId,
    listingId,
    subject: { title, price, coverMediaId },
    dealerId: seller.type === 'dealer' ? seller.id : null,
    sellerUserId: seller.type === 'user' ? seller.id : null,
    sellerId: seller.id,
  };
}

async function ofDealer(dealerId: string, context: RequestContext): Promise<Topic | null> {
  const dealer = await context.loader(dealerLoader).load(dealerId);
  if (dealer?.state !== 'active') return null;
  return {
    topicId: dealerId,
    listingId: null,
    subject: null,
    dealerId,
    sellerUserId: null,
    sellerId: dealerId,
  };
}
