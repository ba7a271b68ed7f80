import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { Hook } from '../../kernel/hooks/Hook.ts';

/** Members of a listing that the hooks need. */
interface Listing {
  readonly _id: string;
  readonly installationId: string;
}

/** Functions of the domains above that listings need. */
export interface ListingHooks {
  /** Whether a buyer has paid for the listing and was not refunded in full. */
  isPaidFor(listing: Listing, session: ClientSession): Promise<boolean>;
  /** Whether the conversation is about the listing; false for one that does not exist. */
  isAbout(conversationId: string, listing: Listing, context: RequestContext): Promise<boolean>;
}

export const listingHooks = new Hook<ListingHooks>('listings');
