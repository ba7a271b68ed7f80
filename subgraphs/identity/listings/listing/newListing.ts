import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import type { ListingContent, ListingRecord } from './record/model.ts';
import { toWords } from './record/toWords.ts';

/** Returns a new draft with all members that are derived from its content. */
export function newListing(
  content: ListingContent,
  { _id, owner }: Pick<ListingRecord, '_id' | 'owner'>,
  { platform }: Pick<RequestContext, 'platform'>,
): Omit<ListingRecord, 'installationId'> {
  const at = new Date(platform.now());
  return {
    _id,
    owner,
    ...content,
    state: 'draft',
    stateReason: null,
    moderation: null,
    revision: 1,
    published: null,
    slug: null,
    reservation: null,
    sale: null,
    promotion: null,
    publishedAt: null,
    expiresAt: null,
    renewedAt: null,
    expiryNotice: null,
    priceHistory: null,
    releaseFilesAt: null,
    words: toWords(content),
    version: 1,
    createdAt: at,
    updatedAt: at,
    ...firstOutbox({ platform }, 'object.created'),
  };
}
