import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { Hook } from '../kernel/hooks/Hook.ts';
import type { ListingRecord } from './listing/model.ts';

/** What listings need of the domains above. */
export interface ListingHooks {
  /** Whether a buyer has paid for the listing and was not refunded in full. */
  isPaidFor(listing: ListingRecord, session: ClientSession): Promise<boolean>;
  /** Whether the conversation is about the listing; false for one that does not exist. */
  isAbout(conversationId: string, listing: ListingRecord, context: RequestContext): Promise<boolean>;
}

export const listingHooks = new Hook<ListingHooks>('listings');
